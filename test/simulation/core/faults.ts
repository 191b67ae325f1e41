/** Every kind of fault, with how often it happens in 1,000 occasions and about how many occasions a run has. */
export const faultRates = {
  /** A function is killed before one of its calls, or after a call whose response it does not see. */
  killBeforeCall: [4, 2_500],
  killAfterCall: [4, 2_500],
  /** A request is killed right after it has sent the message with its list. */
  killAfterList: [100, 60],
  /** The queue of lists does not take one for 40 s, however often it is sent. */
  listNotTaken: [300, 60],
  /** A call takes effect, but its response is lost. */
  answerLost: [4, 2_500],
  /** The SDK repeats a call whose response was lost. */
  callRepeated: [6, 2_500],
  /** A call takes effect after its caller has stopped waiting for it. */
  callLate: [2, 2_500],
  /** A response is saved under its key so late that an identical request may have run again. */
  keptLate: [150, 60],
  /** A write of service points takes effect up to 20 s late, when the next list may have begun. */
  listLate: [150, 60],
  /** The write that accepts a send takes effect up to 20 s late, when its client may have retried. */
  sendLate: [150, 60],
  /** A write to a feed takes effect up to 20 s late, and its response comes as late again. */
  feedSlow: [150, 100],
  /** A call takes up to a second in each direction, so that others overtake it. */
  callSlow: [40, 2_500],
  /** The table or a queue refuses a call, however often the SDK retries it. */
  throttled: [6, 2_500],
  /** The table or a queue takes only a part of a batch. */
  batchInPart: [40, 300],
  /** An eventually consistent query finds rows as they were before their last change, if that was a moment ago. */
  staleQuery: [100, 1_500],
  /** The same of a read by key. An occasion is only one whose rows have changed a moment ago. */
  staleRow: [300, 200],
  /** A page of a query ends early, as one does after 1 MB. */
  shortPage: [100, 1_000],
  requestLost: [10, 150],
  responseLost: [15, 150],
  /** A queue delivers a message twice, either shortly afterwards or because it lost the deletion. */
  deliveredTwice: [20, 500],
  deliveredLate: [20, 250],
  /** Messages are delivered to functions that are killed before they begin, and so become dead letters soon. */
  deliveredInVain: [20, 300],
  /** The same happens to messages of lists, of which there are few. */
  listDeliveredInVain: [150, 60],
  /** A stream delivers records again that were already processed. */
  streamAgain: [20, 150],
  /** A stream delivers its records late, and many at a time. */
  streamLate: [50, 150],
  scheduleMissed: [50, 40],
  scheduleTwice: [50, 40],
  /** An instance has no free socket for a callback. */
  noSocket: [20, 150],
  /** The clock of an instance is wrong by up to `maxSkewMs`. */
  clockSkew: [100, 40],
  instanceReplaced: [50, 400],
  /** The table calls a transaction in progress for five to eight seconds, though it takes effect. */
  transactionStays: [150, 60],
} as const;

export const maxSkewMs = 2_000;

export type FaultKind = keyof typeof faultRates;
export const faultKinds = Object.keys(faultRates) as FaultKind[];

/** The occasions on which each kind of fault happens, counted from 0. */
export type FaultPlan = Readonly<Partial<Record<FaultKind, readonly number[]>>>;

/** Says on each occasion whether the fault happens, and counts how often it did. */
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
    /** Ends all faults. */
    end: () => {
      isOver = true;
    },
    happened,
  };
}
