import type { Receipt } from '../../shared/push/receipt.ts';

export interface WalletBehavior {
  /** From the arrival of a message to its delivery, and from there to its opening. */
  readonly delayMs: number;
  /** Of all receipts, those that are sent twice: 0 to 1. */
  readonly duplicateRate: number;
  /** Of all devices, those that report the delivery after the opening: 0 to 1. */
  readonly reorderRate: number;
  /** The same seed makes the same choices. */
  readonly seed: number;
}

export const usualWallet: WalletBehavior = {
  delayMs: 300,
  duplicateRate: 0.02,
  reorderRate: 0.02,
  seed: 1,
};

export interface Addressed {
  readonly messageId: string;
  readonly msisdn: number;
}

/**
 * What devices report of messages that arrived at `arrivedMs`, in waves of `delayMs`. A delivery belongs to the
 * first and an opening to the second; what is late or repeated comes up to two waves later.
 */
export function receiptWaves(
  messages: readonly Addressed[],
  arrivedMs: number,
  { delayMs, duplicateRate, reorderRate, random }: WalletBehavior & { random: () => number },
): Receipt[][] {
  const waves: Receipt[][] = [[], [], [], []];
  const report = (receipt: Receipt, wave: number): void => {
    waves[wave]?.push(receipt);
    if (random() < duplicateRate) waves[wave + 1]?.push(receipt);
  };
  const timeOf = (wave: number): string => new Date(arrivedMs + (wave + 1) * delayMs).toISOString();
  const deliveredAt = timeOf(0);
  const openedAt = timeOf(1);
  for (const { messageId, msisdn } of messages) {
    const reordered = random() < reorderRate;
    report({ messageId, msisdn, state: 'DELIVERED', time: deliveredAt }, reordered ? 2 : 0);
    report({ messageId, msisdn, state: 'OPENED', time: openedAt }, 1);
  }
  return waves;
}
