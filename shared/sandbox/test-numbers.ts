import type { Receipt } from '../push/receipt.ts';

/** What a device does, when, and when the wallet platform reports it; in seconds from the arrival of the message. */
type Step = { state: Receipt['state']; atSeconds: number; reportedSeconds: number };

export type DueReceipt = { receipt: Receipt; afterSeconds: number };

const slowSeconds = 120;

/** Numbers whose messages have a fate of their own on a simulated wallet platform (rule 39). */
const fates = new Map<number, (delaySeconds: number) => Step[]>([
  [79_999_990_002, () => []],
  [79_999_990_003, deliveredOnly],
  [79_999_990_004, (delay) => [...usualSteps(delay), ...usualSteps(delay).map(reportedLater)]],
  [79_999_990_005, openedFirst],
  [79_999_990_006, (delay) => [step('DELIVERED', slowSeconds), step('OPENED', slowSeconds + delay)]],
]);

/** By how the stage has its wallet platform: the numbers that stay unregistered. */
export function neverRegisteredBy(wallet: string): ReadonlySet<number> {
  return new Set(wallet === 'simulated' ? [79_999_990_001] : []);
}

type Arrival = {
  nowMs: number;
  /** To the delivery, and from there to the opening. */
  delaySeconds: number;
  /** The partner opens what the phone shows. */
  byHand: boolean;
};

/** What a simulated wallet platform reports of a message that arrives: usually delivered, then opened. */
export function receiptsOf(
  { messageId, msisdn }: { messageId: string; msisdn: number },
  { nowMs, delaySeconds, byHand }: Arrival,
): DueReceipt[] {
  const steps = (fates.get(msisdn) ?? (byHand ? deliveredOnly : usualSteps))(delaySeconds);
  return steps.map(({ state, atSeconds, reportedSeconds }) => ({
    receipt: { messageId, msisdn, state, time: new Date(nowMs + atSeconds * 1_000).toISOString() },
    afterSeconds: reportedSeconds,
  }));
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
