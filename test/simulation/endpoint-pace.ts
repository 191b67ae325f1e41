import type { Exchange } from './actors/partners.ts';
import { type Events, spansOf } from './circuit-history.ts';
import { inForceWithinMs } from './endpoint-rests.ts';
import type { Case } from './ledger.ts';

/** Returns the attempts that exceed the pace in any second. A call that gets no connection counts as an attempt. */
export function overPace(begun: readonly Exchange[], perSecond: number): readonly Exchange[] {
  const most = Math.floor(1.2 * perSecond) + 1;
  return begun.filter(({ startedAt }, n) => startedAt - (begun[n - most]?.startedAt ?? -1_000) < 1_000);
}

/** Judges attempts while every worker knows the pace in the settings: whether they exceed it. */
export function begunOverPace({ settings, exchanges }: Pick<Events, 'settings' | 'exchanges'>): Case[] {
  return spansOf(settings).flatMap(({ version: { row }, from, until }) => {
    const perSecond = row?.['maxPerSecond'];
    if (perSecond === undefined) return [];
    const isWithin = ({ startedAt }: Exchange) => startedAt >= from + inForceWithinMs && startedAt < until;
    const begun = exchanges.filter(isWithin);
    const tooMany = new Set(overPace(begun, Number(perSecond)));
    return begun.map((one) => (tooMany.has(one) ? `${one.webhookId} at ${one.startedAt}` : undefined));
  });
}
