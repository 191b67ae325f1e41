import { CallbackRow } from '../../shared/callbacks/rows/callback-store.ts';
import {
  type EndpointFacts,
  isDisabled,
  isEnded,
  isOpen,
  numberIn,
  spansOf,
  wasSo,
} from './circuit-history.ts';
import type { Case } from './ledger.ts';
import type { RowHistory } from './watch-rows.ts';

/** A version of a callback's row, when it was written, and the version before it. */
export type Step = {
  atMs: number;
  row: CallbackRow;
  before: CallbackRow | undefined;
};

/** The versions of one callback's row, and what happened to its endpoint. */
export type CallbackFacts = EndpointFacts & {
  steps: readonly Step[];
  /** When the row was deleted, because the feed has its callback. */
  removedAt?: number | undefined;
};

/** Divides the history of a row where it was deleted and created again. */
export function livesOf(history: RowHistory): RowHistory[] {
  const end = history.findIndex(({ row }) => !row) + 1;
  if (end === 0 || end === history.length) return [history];
  return [history.slice(0, end), ...livesOf(history.slice(end))];
}

export function stepsOf(history: RowHistory): Step[] {
  const parsed = history.flatMap(({ atMs, row }) => (row ? { atMs, row: CallbackRow.parse(row) } : []));
  return parsed.map((one, n) => ({ ...one, before: parsed[n - 1]?.row }));
}

/** Rule 23: the waits between attempts. Each varies by 20 % in both directions. */
const waitsMs = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400].map((s) => s * 1_000);
const dayMs = 86_400_000;

function isNewAttempt({ row, before }: Step): boolean {
  return row.attempts.at(-1)?.at !== before?.attempts.at(-1)?.at;
}

/** Returns how long the response to the latest attempt asked to wait, in milliseconds. */
function askedFor(row: CallbackRow, { exchanges, skewMs }: CallbackFacts): number {
  const { at = 0, httpStatus } = row.attempts.at(-1) ?? {};
  const result = exchanges.find(
    (one) => Math.abs(one.startedAt - at) <= skewMs && one.result?.httpStatus === httpStatus,
  )?.result;
  return result && !result.ok ? Math.min(Number(result.retryAfter ?? 0) * 1_000, dayMs) : 0;
}

/** Judges each attempt: whether it was too early, uncounted or one too many, or its next one is due wrongly. */
export function offSchedule(facts: CallbackFacts): Case[] {
  const { circuit, skewMs, knownWithinMs } = facts;
  return facts.steps.filter(isNewAttempt).map((step) => {
    const { row, before, atMs } = step;
    const { tries, attempts, status, updatedAt, dueAt = 0 } = row;
    const tell = (why: string) => `${why}: ${JSON.stringify(row)}`;
    const [last, previous] = attempts.toReversed();
    const isCounted = tries === (before?.tries ?? 0) + 1 && row.version === (before?.version ?? 0) + 1;
    if (!isCounted || tries > 10) return tell('not counted');
    if (status === 'failed' && tries < 10) return tell('given up');
    const waitedMs = (last?.at ?? 0) - (previous?.at ?? 0) - (previous?.durationMs ?? 0);
    // Times are recorded in whole milliseconds.
    if (tries > 1 && waitedMs < 0.8 * (waitsMs[tries - 2] ?? 0) - skewMs - 1) return tell('too early');
    if (status !== 'waiting') return undefined;
    const waitMs = waitsMs[tries - 1] ?? 0;
    const openUntil = Math.max(
      0,
      ...spansOf(circuit)
        .filter(({ from, until }) => from <= atMs && until >= atMs - knownWithinMs)
        .map(({ version }) => numberIn(version, 'openUntil')),
    );
    const askedMs = askedFor(row, facts);
    const latest = Math.max(1.2 * waitMs, askedMs, openUntil - updatedAt);
    const earliest = Math.max(0.8 * waitMs, askedMs);
    const isInTime = dueAt - updatedAt >= earliest - 1 && dueAt - updatedAt <= latest + 1;
    return isInTime ? undefined : tell('due at another time');
  });
}

/**
 * Judges what was deferred and skipped: whether the circuit was closed, or the endpoint enabled. A replayed callback
 * waits like a deferred one, whatever the circuit.
 */
export function deferredInVain({ steps, circuit, settings, knownWithinMs }: CallbackFacts): Case[] {
  return steps.flatMap(({ row, before, atMs }) => {
    const from = atMs - knownWithinMs;
    const isReplayed = row.replayedAt !== before?.replayedAt;
    const isDeferred = !isReplayed && row.waitsForCircuit === true && before?.waitsForCircuit !== true;
    const isSkipped = row.status === 'skipped' && before?.status !== 'skipped';
    if (!isDeferred && !isSkipped) return [];
    const isWrong =
      (isDeferred &&
        !spansOf(circuit).some((one) => one.from <= atMs && one.until >= from && isOpen(one.version))) ||
      (isSkipped && !wasSo(settings, from, atMs, isDisabled));
    return [isWrong ? `at ${atMs}: ${JSON.stringify(row)}` : undefined];
  });
}

/**
 * Rule 52: judges replays, which begin a new schedule and count the version, and what follows them, which changes nothing
 * about how long the row is kept.
 */
export function replayedWrongly({ steps }: CallbackFacts): Case[] {
  return steps.flatMap(({ row, before }) => {
    if (!before || row.replayedAt === undefined) return [];
    const isReplay = row.replayedAt !== before.replayedAt;
    const isAnew = row.tries === 0 && row.status === 'waiting' && row.version === before.version + 1;
    const isRight = (!isReplay || isAnew) && row.expiresAt === before.expiresAt;
    return [isRight ? undefined : JSON.stringify([before, row])];
  });
}

/** Judges each 410: whether it has disabled the endpoint, unless that was moved or enabled meanwhile. */
export function goneInVain({ steps, settings, lifts, skewMs }: CallbackFacts): Case[] {
  return steps.filter(isNewAttempt).flatMap(({ row, atMs }) => {
    const { at = 0, httpStatus } = row.attempts.at(-1) ?? {};
    const isLifted = lifts.some(({ from, to }) => to >= at - skewMs && from <= atMs);
    if (httpStatus !== 410 || isLifted) return [];
    const isRight = wasSo(settings, at - skewMs, atMs, isDisabled);
    return [isRight ? undefined : `at ${atMs}: ${JSON.stringify(row)}`];
  });
}

const strandedMs = 150_000;

/** All callbacks of an endpoint may wait together, and its pace lets them through in this time. */
function inLineMs({ settings, callbacks }: CallbackFacts): number {
  const paces = settings.map(({ row }) => Number(row?.['maxPerSecond'] ?? Infinity));
  return (1_000 * callbacks.length) / Math.min(...paces);
}

/** Returns the spans in which the callback was due: from its due time to its next attempt or its end. */
function dueSpans({ steps, removedAt }: CallbackFacts): { from: number; until: number }[] {
  const spans: { from: number; until: number }[] = [];
  let dueFrom: number | undefined;
  for (const step of steps) {
    const { row, atMs } = step;
    if (dueFrom !== undefined && (isNewAttempt(step) || row.status !== 'waiting')) {
      const made = row.attempts.at(-1);
      spans.push({ from: dueFrom, until: isNewAttempt(step) && made ? made.at : atMs });
      dueFrom = undefined;
    }
    if (row.status !== 'waiting') continue;
    if (row.waitsForCircuit) dueFrom ??= atMs;
    else if (row.claimedBy === undefined && row.queuedAt === undefined) dueFrom ??= row.dueAt;
  }
  return dueFrom === undefined
    ? spans
    : [...spans, { from: dueFrom, until: removedAt ?? Number.POSITIVE_INFINITY }];
}

/** Judges the spans in which a callback was due: whether it was free to be attempted for 150 s of one, and its time in line. */
export function stranded(facts: CallbackFacts): Case[] {
  const { steps, circuit, settings } = facts;
  const resting = [
    ...spansOf(circuit).filter(({ version }) => isOpen(version)),
    ...spansOf(settings).filter(({ version }) => isDisabled(version.row)),
  ].sort((a, b) => a.from - b.from);
  const mostMs = strandedMs + inLineMs(facts);
  return dueSpans(facts).map(({ from, until }) => {
    let freeFrom = from;
    for (const rest of [...resting, { from: until, until }]) {
      if (rest.until < freeFrom) continue;
      if (Math.min(rest.from, until) - freeFrom > mostMs)
        return `free from ${freeFrom}, due from ${from} to ${until}: ${JSON.stringify(steps.at(-1)?.row)}`;
      freeFrom = Math.max(freeFrom, rest.until);
    }
    return undefined;
  });
}

/** Describes an attempt as text, to compare the attempts in a row with those that were made. */
function madeAt(at: number, httpStatus: number | undefined, error: string | undefined): string {
  return [at, httpStatus, error].join(' ');
}

/** The row must show the newest 20 attempts that were made, and nothing else. */
export function unlikeMade({ steps, exchanges }: CallbackFacts): Case[] {
  const shown = steps.at(-1)?.row.attempts.map(({ at, httpStatus, error }) => madeAt(at, httpStatus, error));
  const made = exchanges
    .filter(isEnded)
    .map(({ startedAt, result }) =>
      madeAt(startedAt, result.httpStatus, result.ok ? undefined : result.error),
    );
  return [
    shown?.join() === made.slice(-20).join() ? undefined : `${shown?.join()} instead of ${made.join()}`,
  ];
}
