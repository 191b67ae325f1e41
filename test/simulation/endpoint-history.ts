import { type Events, isDisabled, spansOf } from './circuit-history.ts';
import {
  begunIn,
  failureRests,
  goneRests,
  inForceWithinMs,
  isEnded,
  type Lift,
  pauseRests,
} from './endpoint-rests.ts';
import type { RowHistory } from './watch-rows.ts';

/** The history of one endpoint: the events there and the versions of its rows. */
export type EndpointFacts = Events & {
  circuit: RowHistory;
  enablings: readonly Lift[];
};

/** Settings change one version at a time, and only a 410 received since the last enabling may disable the endpoint. */
export function wrongChanges({ settings, exchanges, enablings, knownWithinMs }: EndpointFacts): string[] {
  return spansOf(settings)
    .slice(1)
    .flatMap(({ version, before }) => {
      const { row, atMs } = version;
      const isNext = row?.['version'] === Number(before?.row?.['version']) + 1;
      const enabledAt = enablings.findLast(({ from }) => from <= atMs)?.from ?? 0;
      const isAsked = exchanges.filter(isEnded).some(({ endedAt, result }) => {
        const isSince = endedAt >= enabledAt - knownWithinMs && endedAt <= atMs;
        return result.httpStatus === 410 && isSince;
      });
      const isUnasked = isDisabled(row) && !isDisabled(before?.row) && !isAsked;
      return isNext && !isUnasked ? [] : [JSON.stringify([before, version])];
    });
}

/** Returns the attempts that begin while the endpoint is disabled and every worker knows it. */
export function begunWhileDisabled({ settings, exchanges }: EndpointFacts): string[] {
  const rests = spansOf(settings)
    .filter(({ version }) => isDisabled(version.row))
    .map(({ from, until }) => ({ from: from + inForceWithinMs, until, why: 'disabled' }));
  return begunIn(rests, exchanges);
}

/** Returns the attempts that begin although the endpoint has asked for a pause, fails or has responded 410. */
export function begunTooSoon({ exchanges, lifts, enablings }: EndpointFacts): string[] {
  return begunIn(
    [...pauseRests(exchanges, lifts), ...failureRests(exchanges, lifts), ...goneRests(exchanges, enablings)],
    exchanges,
  );
}
