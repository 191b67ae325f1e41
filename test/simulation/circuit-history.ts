import type { Circuit } from '../../shared/callbacks/endpoint/circuit.ts';
import type { EndpointRequest } from './actors/endpoint-request.ts';
import type { Exchange } from './actors/partners.ts';
import type { Case } from './ledger.ts';
import type { RowHistory, Version } from './watch-rows.ts';

export type Ended = Required<Exchange>;

/** The outcome of an attempt is in the table at most this long after its end. */
export const writtenWithinMs = 4_000;
/** Rule 44: a change is in force everywhere 5 s later. */
export const inForceWithinMs = writtenWithinMs + 5_000;

const firstCooldownMs = 30_000;
const longestRestMs = 900_000;

export function isEnded(exchange: Exchange): exchange is Ended {
  return exchange.endedAt !== undefined;
}

/** Rule 35: returns how long this response asks to leave the endpoint alone. */
export function pauseOf({ result }: Exchange): number {
  if (!result || result.ok || ![429, 502, 503, 504].includes(result.httpStatus ?? 0)) return 0;
  return Math.min(Number(result.retryAfter ?? 0) * 1_000, longestRestMs);
}

function cooldownOf(openings: number): number {
  return Math.min(firstCooldownMs * 2 ** (openings - 1), longestRestMs);
}

/** The history of one endpoint: what happened there, and the versions of its rows. */
export type EndpointFacts = {
  exchanges: readonly Exchange[];
  /** The partner asked this of the endpoint; `lifts` are the requests that close its circuit. */
  asked: readonly EndpointRequest[];
  lifts: readonly EndpointRequest[];
  settings: RowHistory;
  circuit: RowHistory;
  callbacks: readonly RowHistory[];
  /** A worker writes what it has found out within this time, or never. */
  knownWithinMs: number;
  /** How far the clocks of two workers may differ. */
  skewMs: number;
  isLong: boolean;
};

export function numberIn(version: Version | undefined, field: keyof Circuit): number {
  return Number(version?.row?.[field] ?? 0);
}

export function isOpen(version: Version | undefined): boolean {
  return version?.row?.['openUntil'] !== undefined;
}

/** Returns each version with the span in which it was the current one. */
export function spansOf(history: RowHistory) {
  return history.map((version, n) => ({
    version,
    before: history[n - 1],
    from: version.atMs,
    until: history[n + 1]?.atMs ?? Number.POSITIVE_INFINITY,
  }));
}

/** True if the row matched at some moment between `from` and `to`. */
export function wasSo(history: RowHistory, from: number, to: number, isSo: (row: Version['row']) => boolean) {
  return spansOf(history).some((span) => span.from <= to && span.until >= from && isSo(span.version.row));
}

/** Whether the endpoint is disabled, or deleted. */
export function isDisabled(row: Version['row']): boolean {
  return row?.['status'] !== 'enabled';
}

/** Returns when failures ended up to `untilMs`, newest first, with no success between them that was certainly written down. */
export function failuresUntil(untilMs: number, { exchanges, skewMs }: EndpointFacts): readonly number[] {
  const marginMs = inForceWithinMs + skewMs;
  const ended = exchanges.filter(isEnded).filter(({ endedAt }) => endedAt <= untilMs);
  const successes = ended.filter(({ result }) => result.ok);
  const failures: number[] = [];
  let next = untilMs;
  for (const { endedAt, result } of ended.sort((a, b) => b.endedAt - a.endedAt)) {
    if (result.ok) continue;
    const between = successes.filter(
      (one) => one.startedAt > endedAt + marginMs && one.endedAt < next - marginMs,
    );
    // The worker of one success may have died before it wrote it down.
    if (between.length > 1) break;
    failures.push(endedAt);
    next = endedAt;
  }
  return failures;
}

/** Returns the attempt that lets this version be open, or open longer than the one before; `undefined` if none does. */
function reasonToOpen(
  version: Version,
  before: Version | undefined,
  reopened: number,
  events: EndpointFacts,
) {
  const { exchanges, knownWithinMs, skewMs } = events;
  const openUntil = numberIn(version, 'openUntil');
  return exchanges
    .filter(isEnded)
    .filter(({ endedAt }) => endedAt <= version.atMs && endedAt >= version.atMs - knownWithinMs)
    .filter(({ result }) => !result.ok)
    .find((one) => {
      const isProbe = isOpen(before) && one.startedAt >= numberIn(before, 'openUntil') - skewMs;
      const breaks = isOpen(before) ? isProbe : failuresUntil(one.endedAt, events).length >= 5;
      const waitMs = Math.max(breaks ? cooldownOf(reopened + 1) : 0, pauseOf(one));
      return openUntil <= one.endedAt + waitMs + skewMs;
    });
}

/** A circuit may close after a success of an attempt begun since it opened, a lift, or disabling the endpoint. */
function mayClose(version: Version, before: Version, events: EndpointFacts): boolean {
  const { exchanges, lifts, settings, knownWithinMs, skewMs } = events;
  const { atMs } = version;
  const isRecent = (at: number) => at <= atMs && at >= atMs - knownWithinMs;
  const hasSucceeded = exchanges.filter(isEnded).some(({ startedAt, endedAt, result }) => {
    const isSince = startedAt > numberIn(before, 'openedAt') - skewMs;
    return result.ok && isRecent(endedAt) && isSince && endedAt >= numberIn(before, 'pausedUntil') - skewMs;
  });
  const isLifted = lifts.some(({ from, to }) => atMs >= from && atMs <= to);
  return hasSucceeded || isLifted || wasSo(settings, atMs - knownWithinMs, atMs, isDisabled);
}

/** Rules 24 and 35: a circuit opens, stays open longer or closes for a reason, and for no longer than that allows. */
export function unjustified(events: EndpointFacts): Case[] {
  let reopened = 0;
  return spansOf(events.circuit).flatMap(({ version, before }) => {
    const isLonger = numberIn(version, 'openUntil') > numberIn(before, 'openUntil');
    if (isOpen(before) && !isOpen(version)) {
      reopened = 0;
      const isRight = mayClose(version, before as Version, events);
      return [isRight ? undefined : `closed: ${JSON.stringify([before, version])}`];
    }
    if (!isOpen(version) || !isLonger) return [];
    const reason = reasonToOpen(version, before, reopened, events);
    reopened += numberIn(version, 'openings') > numberIn(before, 'openings') ? 1 : 0;
    return [reason ? undefined : `open: ${JSON.stringify([before, version])}`];
  });
}

/** Judges each version that is open: whether attempts begin, once every worker knows it, beyond one per claimed probe. */
export function unclaimed({ circuit, exchanges }: EndpointFacts): Case[] {
  let knownAt = Number.POSITIVE_INFINITY;
  return spansOf(circuit).flatMap(({ version, before, from, until }) => {
    if (!isOpen(version)) return [];
    if (!isOpen(before)) knownAt = from + inForceWithinMs;
    const claims = numberIn(version, 'probeUntil') > numberIn(before, 'probeUntil') ? 1 : 0;
    const begun = exchanges.filter(
      ({ startedAt }) => startedAt >= Math.max(from, knownAt) && startedAt < until,
    );
    const tooMany = begun.slice(claims).map(({ webhookId, startedAt }) => `${webhookId} at ${startedAt}`);
    return [tooMany.length > 0 ? tooMany.join() : undefined];
  });
}

/**
 * Rules 24 and 35: judges whether the circuit is open after five failures in a row or one that asked for a pause, and
 * whether it opens for its cooldown. `unclaimed` judges what begins while it is open.
 */
export function openedTooShort({ circuit, exchanges, lifts, settings }: EndpointFacts): Case[] {
  const ended = exchanges.filter(isEnded).sort((a, b) => a.endedAt - b.endedAt);
  const failed = ended.flatMap((one, n): Case[] => {
    const by = one.endedAt + writtenWithinMs;
    const isLiftedSince = ({ startedAt }: Ended) =>
      lifts.some(({ from, to }) => to >= startedAt && from <= by);
    if (one.result.ok || isLiftedSince(one) || wasSo(settings, one.startedAt, by, isDisabled)) return [];
    const [first = one] = ended.slice(Math.max(0, n - 4));
    // It is uncertain which failures a success near these precedes.
    const isMixed = ended.some(
      ({ endedAt, result }) => result.ok && endedAt >= first.endedAt - inForceWithinMs && endedAt <= by,
    );
    const isBroken = n >= 4 && !isMixed && !isLiftedSince(first);
    if (!isBroken && pauseOf(one) === 0) return [];
    // Of two pauses that end within a second, the first counts.
    const until = pauseOf(one) > 0 ? one.endedAt + pauseOf(one) - 1_000 : 0;
    const isRight = wasSo(circuit, one.endedAt, by, (row) => Number(row?.['openUntil'] ?? -1) >= until);
    return [isRight ? undefined : JSON.stringify(one)];
  });
  const opened = spansOf(circuit).flatMap(({ version, before }): Case[] => {
    const openings = numberIn(version, 'openings');
    const forMs = numberIn(version, 'openUntil') - version.atMs;
    // A pause alone lasts as long as the response asked for.
    const breaks = isOpen(before) || numberIn(version, 'failures') >= 5;
    const isNew = openings > numberIn(before, 'openings');
    if (!breaks || !isNew) return [];
    return [forMs < cooldownOf(openings) - writtenWithinMs ? JSON.stringify(version) : undefined];
  });
  return [...failed, ...opened];
}
