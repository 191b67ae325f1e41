import type { FaultRates } from '../faults/fault-plan.ts';

/** Bad days of AWS, all at once: about one call in twelve has a fault. */
export const usualRates: FaultRates = {
  throttled: 0.02,
  serverError: 0.015,
  cutBefore: 0.008,
  cutAfter: 0.008,
  // Each takes a function 5 s, so that more of them would only make it slow.
  unanswered: 0.001,
  late: 0.001,
  slow: 0.02,
  unprocessedItems: 0.08,
  unprocessedKeys: 0.08,
  failedEntries: 0.08,
  transactionCancelled: 0.15,
  deliveredTwice: 0.08,
  reordered: 0.15,
  streamTwice: 0.08,
  workerKilled: 0.05,
  requestKilled: 0.01,
};

/**
 * For a run of seconds: a request that is killed keeps its Idempotency-Key for up to 29 s and the lock of its offer
 * for 40 s, longer than the whole run.
 */
export const shortRates: FaultRates = { ...usualRates, requestKilled: 0 };
