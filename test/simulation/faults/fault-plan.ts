import { seededRandom } from '../../../local/rng.ts';

/** What can go wrong between a function and an engine, and between the runner and a function. */
export const wireFaults = [
  'throttled',
  'serverError',
  /** The connection breaks before the engine hears of the call. */
  'cutBefore',
  /** The engine has done it, and the connection breaks in the middle of the response. */
  'cutAfter',
  /** The engine has done it, and no response ever comes. */
  'unanswered',
  /** The engine has done it, and the response comes after the caller has given up. */
  'late',
  'slow',
  'unprocessedItems',
  'unprocessedKeys',
  'failedEntries',
  'transactionCancelled',
] as const;

const runnerFaults = [
  'deliveredTwice',
  'reordered',
  'streamTwice',
  /** A thread ends in the middle of a batch of a queue or of the stream, or of a scheduled run. */
  'workerKilled',
  /** The same in the middle of a request. */
  'requestKilled',
] as const;

export const faultKinds = [...wireFaults, ...runnerFaults] as const;
export type WireFault = (typeof wireFaults)[number];
export type FaultKind = (typeof faultKinds)[number];

/** How often each kind happens where it can: 0 to 1. */
export type FaultRates = Readonly<Partial<Record<FaultKind, number>>>;

export interface Decision<Kind extends FaultKind> {
  readonly kind: Kind;
  /** How bad it is, 0 (included) to 1 (excluded): a delay, a part of a batch. */
  readonly degree: number;
}

export interface FaultPlan {
  /** The fault of the next call on this route, if it has one; of several kinds the first that comes up. */
  next<Kind extends FaultKind>(route: string, kinds: readonly Kind[]): Decision<Kind> | undefined;
  /** Counts a fault that took effect. */
  count(kind: FaultKind): void;
  counts(): Readonly<Record<FaultKind, number>>;
  /** A plan is in force from the beginning, until it is ended; what is under way then ends as it began. */
  end(): void;
  begin(): void;
}

/**
 * Decides by seed, kind, route and the call's number on its route, and by nothing else: the n-th PutItem of two
 * runs with one seed has the same fault. Which row the n-th PutItem writes depends on concurrency.
 */
export function createFaultPlan({ seed, rates }: { seed: number; rates: FaultRates }): FaultPlan {
  const calls = new Map<string, number>();
  const counts = Object.fromEntries(faultKinds.map((kind) => [kind, 0])) as Record<FaultKind, number>;
  let ended = false;
  return {
    next: (route, kinds) => {
      const call = (calls.get(route) ?? 0) + 1;
      calls.set(route, call);
      if (ended) return undefined;
      for (const kind of kinds) {
        const random = seededRandom(seed, kind, route, call);
        if (random() < (rates[kind] ?? 0)) return { kind, degree: random() };
      }
      return undefined;
    },
    count: (kind) => {
      counts[kind] += 1;
    },
    counts: () => ({ ...counts }),
    end: () => {
      ended = true;
    },
    begin: () => {
      ended = false;
    },
  };
}
