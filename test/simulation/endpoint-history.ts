import type { Lift } from './actors/partners.ts';
import { type Events, failuresUntil, isDisabled, spansOf } from './circuit-history.ts';
import { inForceWithinMs, isEnded } from './endpoint-rests.ts';
import type { Case } from './ledger.ts';
import type { RowHistory } from './watch-rows.ts';

/** The history of one endpoint: the events there and the versions of its rows. */
export type EndpointFacts = Events & {
  circuit: RowHistory;
  enablings: readonly Lift[];
};

/** Rule 35, whose five days and one day are shorter in the simulation (`seams/replace.ts`). */
const agedMs = 3_600_000;
const agedFailures = 10;

/**
 * Settings change one version at a time, and only its partner may disable the endpoint, or a 410 received since the last
 * enabling, or ten failures in a long time without a success. An endpoint that was deleted begins again with any version.
 */
export function wrongChanges(facts: EndpointFacts): Case[] {
  const { settings, exchanges, enablings, knownWithinMs, skewMs } = facts;
  return spansOf(settings)
    .slice(1)
    .flatMap(({ version, before }) => {
      const { row, atMs } = version;
      if (!row || !before?.row) return [];
      const isNext = row?.['version'] === Number(before.row['version']) + 1;
      const enabledAt = enablings.findLast(({ from }) => from <= atMs)?.from ?? 0;
      const isAsked = exchanges.filter(isEnded).some(({ endedAt, result }) => {
        const isSince = endedAt >= enabledAt - knownWithinMs && endedAt <= atMs;
        return result.httpStatus === 410 && isSince;
      });
      const failures = failuresUntil(atMs, facts).filter((endedAt) => endedAt >= enabledAt);
      const forMs = atMs - (failures.at(-1) ?? atMs) + skewMs;
      const isAged = failures.length >= agedFailures && forMs >= agedMs;
      const isOwn = row['disabledReason'] === 'by the partner';
      const isUnasked = isDisabled(row) && !isDisabled(before.row) && !isOwn && !isAsked && !isAged;
      return [isNext && !isUnasked ? undefined : JSON.stringify([before, version])];
    });
}

/** Judges the spans in which the endpoint is disabled: whether attempts begin in one once every worker knows it. */
export function begunWhileDisabled({ settings, exchanges }: EndpointFacts): Case[] {
  const rests = spansOf(settings).filter(({ version }) => isDisabled(version.row));
  return rests.map(({ from, until }) => {
    const begun = exchanges.find(({ startedAt }) => startedAt > from + inForceWithinMs && startedAt < until);
    return begun && `${begun.webhookId} at ${begun.startedAt}`;
  });
}
