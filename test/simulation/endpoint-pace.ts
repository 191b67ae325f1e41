import type { Exchange } from './actors/exchanges.ts';
import { type Events, spansOf } from './circuit-history.ts';
import { inForceWithinMs } from './endpoint-rests.ts';

/** Attempts at an endpoint that are too many of a second. A call without a connection is one, too. */
export function overPace(begun: readonly Exchange[], perSecond: number): readonly Exchange[] {
  const most = Math.floor(1.2 * perSecond) + 1;
  return begun.filter(({ startedAt }, n) => startedAt - (begun[n - most]?.startedAt ?? -1_000) < 1_000);
}

/** The same while every worker knows the pace that the settings have. */
export function begunOverPace({ settings, exchanges }: Pick<Events, 'settings' | 'exchanges'>): string[] {
  return spansOf(settings).flatMap(({ version: { row }, from, until }) => {
    const perSecond = row?.['maxPerSecond'];
    const isWithin = ({ startedAt }: Exchange) => startedAt >= from + inForceWithinMs && startedAt < until;
    const tooMany = perSecond === undefined ? [] : overPace(exchanges.filter(isWithin), Number(perSecond));
    return tooMany.map(({ webhookId, startedAt }) => `${webhookId} at ${startedAt}`);
  });
}
