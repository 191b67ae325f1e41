import type { Receipt } from '../push/receipt.ts';

/** The behavior of a device, with the times of its actions and their reports in seconds after the message arrived. */
type Step = { state: Receipt['state']; atSeconds: number; reportedSeconds: number };

export type DueReceipt = { receipt: Receipt; afterSeconds: number };

const slowSeconds = 120;

/** The messages of this number are not shown if they have a deadline. */
const letsDeadlinesPass = 79_999_990_007;

/** The messages of this number are opened just before they are taken back. */
export function opensJustBefore(msisdn: number): boolean {
  return msisdn === 79_999_990_008;
}

/** The simulated wallet platform treats the messages of test numbers like this (rule 39). */
const fates = new Map<number, (delaySeconds: number) => Step[]>([
  [79_999_990_002, () => []],
  [79_999_990_003, deliveredOnly],
  [79_999_990_004, (delay) => [...usualSteps(delay), ...usualSteps(delay).map(reportedLater)]],
  [79_999_990_005, openedFirst],
  [79_999_990_006, (delay) => [step('DELIVERED', slowSeconds), step('OPENED', slowSeconds + delay)]],
  [letsDeadlinesPass, usualSteps],
  [79_999_990_008, deliveredOnly],
]);

/** The number that a simulated wallet platform never registers. */
export const neverRegistered = 79_999_990_001;

type Arrival = {
  nowMs: number;
  /** The delays before the delivery, and from the delivery to the opening. */
  delaySeconds: number;
  /** The partner opens what the phone shows. */
  byHand: boolean;
  /** From when on the message must not be shown, ms. */
  deadline: number | undefined;
};

/**
 * The reports of the simulated wallet platform about a message: usually delivered, then opened, and nothing if the phone
 * would show it after its deadline.
 */
export function makeReceipts(
  { messageId, msisdn }: { messageId: string; msisdn: number },
  { nowMs, delaySeconds, byHand, deadline }: Arrival,
): DueReceipt[] {
  const steps = (fates.get(msisdn) ?? (byHand ? deliveredOnly : usualSteps))(delaySeconds);
  if (deadline !== undefined && (msisdn === letsDeadlinesPass || shownAt(steps, nowMs) >= deadline))
    return [];
  return steps.map(({ state, atSeconds, reportedSeconds }) => ({
    receipt: { messageId, msisdn, state, time: new Date(nowMs + atSeconds * 1_000).toISOString() },
    afterSeconds: reportedSeconds,
  }));
}

function shownAt(steps: readonly Step[], nowMs: number): number {
  return nowMs + Math.min(...steps.map(({ atSeconds }) => atSeconds)) * 1_000;
}

function step(state: Receipt['state'], atSeconds: number): Step {
  return { state, atSeconds, reportedSeconds: atSeconds };
}

function usualSteps(delaySeconds: number): Step[] {
  return [step('DELIVERED', delaySeconds), step('OPENED', 2 * delaySeconds)];
}

function deliveredOnly(delaySeconds: number): Step[] {
  return usualSteps(delaySeconds).slice(0, 1);
}

function reportedLater(earlier: Step): Step {
  return { ...earlier, reportedSeconds: earlier.reportedSeconds + 1 };
}

function openedFirst(delaySeconds: number): Step[] {
  const opened = step('OPENED', 2 * delaySeconds);
  return [opened, { ...reportedLater(opened), state: 'DELIVERED', atSeconds: delaySeconds }];
}
