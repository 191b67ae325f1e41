/** Everything that can go wrong, by the seam where it does: how often it may in a thousand occasions, and about how many a run has. */
export const faultRates = {
  /** A function ends before a call it makes, or after one whose answer it does not see. */
  killBeforeCall: [4, 2_500],
  killAfterCall: [4, 2_500],
  /** A request ends after the message with its list was sent. */
  killAfterList: [100, 60],
  /** The call was made, and its answer is lost. */
  answerLost: [4, 2_500],
  /** The SDK repeats a call whose answer was lost. */
  callRepeated: [6, 2_500],
  /** The caller has stopped waiting when the call is made. */
  callLate: [2, 2_500],
  /** An answer is kept under its key so late that an equal request may have run again. */
  keptLate: [150, 60],
  /** The same for writes of service points, up to 20 s late: the next list may have begun. */
  listLate: [150, 60],
  /** The same for the write that accepts a send: its client may have asked again by then. */
  sendLate: [150, 60],
  /** A call takes up to a second there, and as long back, so that others overtake it. */
  callSlow: [40, 2_500],
  /** The table or a queue takes nothing of a call, however often the SDK tries it again. */
  throttled: [6, 2_500],
  /** The table or a queue takes a part of a batch. */
  batchInPart: [40, 300],
  /** A read that is not consistent misses rows that were written within the last minute. */
  staleRead: [100, 300],
  requestLost: [10, 150],
  responseLost: [15, 150],
  /** A queue delivers a message that it delivers again later, or one of which it has lost the deletion. */
  deliveredTwice: [20, 500],
  deliveredLate: [20, 250],
  /** Messages come back from functions that never saw them: soon they are dead letters. */
  deliveredInVain: [20, 300],
  /** The same for lists, which are few. */
  listDeliveredInVain: [150, 60],
  /** A stream returns to records that were handled. */
  streamAgain: [20, 150],
  /** A stream's records come late, many at a time. */
  streamLate: [50, 150],
  scheduleMissed: [50, 40],
  scheduleTwice: [50, 40],
  /** An instance has no socket for a callback. */
  noSocket: [20, 150],
  /** The clock of an instance goes wrong by up to `maxSkewMs`. */
  clockSkew: [100, 40],
  instanceReplaced: [50, 400],
} as const;

export const maxSkewMs = 2_000;

export type FaultKind = keyof typeof faultRates;
export const faultKinds = Object.keys(faultRates) as FaultKind[];

/** For each kind, on which of its occasions it happens, counted from 0. */
export type FaultPlan = Readonly<Partial<Record<FaultKind, readonly number[]>>>;

/** Says on each occasion whether the fault happens there, and counts those. */
export function createFaults(plan: FaultPlan) {
  const occasions = new Map<FaultKind, number>();
  const happened: Record<string, number> = Object.fromEntries(faultKinds.map((kind) => [kind, 0]));
  let isOver = false;
  return {
    happens: (kind: FaultKind): boolean => {
      if (isOver) return false;
      const occasion = occasions.get(kind) ?? 0;
      occasions.set(kind, occasion + 1);
      if (!plan[kind]?.includes(occasion)) return false;
      happened[kind] = (happened[kind] ?? 0) + 1;
      return true;
    },
    /** From now on nothing goes wrong. */
    end: () => {
      isOver = true;
    },
    happened,
  };
}
