import type { Exchange } from './actors/partners.ts';
import {
  type Ended,
  type EndpointFacts,
  failuresUntil,
  inForceWithinMs,
  isDisabled,
  isEnded,
  pauseOf,
  spansOf,
  wasSo,
  writtenWithinMs,
} from './circuit-history.ts';
import { isEnabling, unaskedIn } from './endpoint-requests.ts';
import type { Case } from './ledger.ts';

/** Rule 35, whose five days are shorter in short runs (`seams/replace.ts`). */
const agedMs = { short: 3_600_000, long: 432_000_000 };
const agedFailures = 10;

/**
 * Settings change one version at a time and only as the partner asks; a 410 received since the last enabling, or ten
 * failures in a long time without a success, may disable the endpoint. One that was deleted begins again with any version.
 */
export function wrongChanges(facts: EndpointFacts): Case[] {
  const { settings, exchanges, asked, knownWithinMs, skewMs, isLong } = facts;
  return spansOf(settings)
    .slice(1)
    .flatMap(({ version, before }) => {
      const { row, atMs } = version;
      if (!before?.row) return [];
      const unasked = unaskedIn(before, version, asked);
      if (!row) return [unasked[0]];
      const isNext = row['version'] === Number(before.row['version']) + 1;
      const enabledAt = asked.filter(isEnabling).findLast(({ from }) => from <= atMs)?.from ?? 0;
      const isGone = exchanges.filter(isEnded).some(({ endedAt, result }) => {
        const isSince = endedAt >= enabledAt - knownWithinMs && endedAt <= atMs;
        return result.httpStatus === 410 && isSince;
      });
      const failures = failuresUntil(atMs, facts).filter((endedAt) => endedAt >= enabledAt);
      const forMs = atMs - (failures.at(-1) ?? atMs) + skewMs;
      const isAged = failures.length >= agedFailures && forMs >= agedMs[isLong ? 'long' : 'short'];
      const isOwn = row['disabledReason'] === 'by the partner';
      const isEnd = isDisabled(row) && !isDisabled(before.row) && !isOwn;
      const others = isEnd ? unasked.filter((name) => name !== 'status') : unasked;
      const isRight = others.length === 0 && (!isEnd || isGone || isAged);
      return [isNext && isRight ? undefined : JSON.stringify([unasked, before, version])];
    });
}

/**
 * Judges each failure that is the tenth or a later one in a long time without a success: whether it disables the endpoint. A
 * failure is counted if it was certainly not under way when another one opened the circuit.
 */
export function agedInVain({ settings, exchanges, lifts, isLong }: EndpointFacts): Case[] {
  const ended = exchanges.filter(isEnded).sort((a, b) => a.endedAt - b.endedAt);
  const failures = ended.filter(({ result }) => !result.ok);
  const successes = ended.filter(({ result }) => result.ok);
  const rests = spansOf(settings).filter(({ version }) => isDisabled(version.row));
  return failures.flatMap((last): Case[] => {
    const by = last.endedAt + writtenWithinMs;
    const since = Math.max(
      0,
      ...successes.filter(({ endedAt }) => endedAt <= by).map(({ endedAt }) => endedAt),
      ...lifts.filter(({ from }) => from <= by).map(({ to }) => to),
      ...rests.filter(({ from }) => from <= last.startedAt).map(({ until }) => until),
    );
    const isBefore = (one: Ended) => one.endedAt > since - 2 * inForceWithinMs && one.startedAt <= since;
    const run = failures.filter(
      ({ startedAt, endedAt }) => startedAt > since + inForceWithinMs && endedAt <= last.endedAt,
    );
    // Up to the fifth the circuit is closed, unless it is paused, and all are counted.
    const first = run.some((one) => pauseOf(one) > 0) ? [] : run.slice(0, 5);
    let count = first.length;
    let from = (first.at(-1)?.endedAt ?? 0) + inForceWithinMs;
    for (const { startedAt, endedAt } of run)
      if (startedAt > from) {
        count += 1;
        from = endedAt + inForceWithinMs;
      }
    const forMs = last.endedAt - (run[0]?.endedAt ?? last.endedAt);
    // A success that an instance did not know to end failures ends some of those after it.
    const atLeastMs = agedMs[isLong ? 'long' : 'short'] + inForceWithinMs;
    if (count < agedFailures || forMs < atLeastMs || failures.some(isBefore)) return [];
    return [wasSo(settings, last.endedAt, by, isDisabled) ? undefined : JSON.stringify(last)];
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

/** Returns the attempts that exceed the pace in any second. A call that gets no connection counts as an attempt. */
export function overPace(begun: readonly Exchange[], perSecond: number): readonly Exchange[] {
  const most = Math.floor(1.2 * perSecond) + 1;
  return begun.filter(({ startedAt }, n) => startedAt - (begun[n - most]?.startedAt ?? -1_000) < 1_000);
}

/** Judges attempts while every worker knows the pace in the settings: whether they exceed it. */
export function begunOverPace({ settings, exchanges }: EndpointFacts): Case[] {
  return spansOf(settings).flatMap(({ version: { row }, from, until }) => {
    const perSecond = row?.['maxPerSecond'];
    if (perSecond === undefined) return [];
    const isWithin = ({ startedAt }: Exchange) => startedAt >= from + inForceWithinMs && startedAt < until;
    const begun = exchanges.filter(isWithin);
    const tooMany = new Set(overPace(begun, Number(perSecond)));
    return begun.map((one) => (tooMany.has(one) ? `${one.webhookId} at ${one.startedAt}` : undefined));
  });
}
