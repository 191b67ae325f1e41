import type { Exchange } from './actors/partners.ts';
import { type Events, spansOf } from './circuit-history.ts';
import { inForceWithinMs } from './endpoint-rests.ts';

/** Returns the attempts that exceed the pace in any second. A call that gets no connection counts as an attempt. */
export function overPace(begun: readonly Exchange[], perSecond: number): readonly Exchange[] {
  const most = Math.floor(1.2 * perSecond) + 1;
  return begun.filter(({ startedAt }, n) => startedAt - (begun[n - most]?.startedAt ?? -1_000) < 1_000);
}

/** Returns the attempts that exceed the pace in the settings while every worker knows these. */
export function begunOverPace({ settings, exchanges }: Pick<Events, 'settings' | 'exchanges'>): string[] {
  return spansOf(settings).flatMap(({ version: { row }, from, until }) => {
    const perSecond = row?.['maxPerSecond'];
    const isWithin = ({ startedAt }: Exchange) => startedAt >= from + inForceWithinMs && startedAt < until;
    const tooMany = perSecond === undefined ? [] : overPace(exchanges.filter(isWithin), Number(perSecond));
    return tooMany.map(({ webhookId, startedAt }) => `${webhookId} at ${startedAt}`);
  });
}
