import { formatIssues, parse } from '../platform/validation/format-issues.ts';
import type { Report } from './delivery-state-store.ts';
import type { StoredMessage } from './message-store.ts';
import { Receipt } from './receipt.ts';

type Read = { position: number; given: unknown } & ({ receipt: Receipt } | { reason: string });

/** The receipt at a position of its message, or why it cannot be read. */
export function readReceipt(given: unknown, position: number): Read {
  const parsed = parse(Receipt, given);
  if (parsed.success) return { position, given, receipt: parsed.data };
  return { position, given, reason: formatIssues(parsed.error, `receipts[${position}]`).join('; ') };
}

/** What a receipt reports about its message, or why it cannot be recorded. */
export function matchReceipt(
  read: Read,
  messages: ReadonlyMap<string, StoredMessage>,
  sentAt: number,
): Report | { reason: string } {
  if ('reason' in read) return read;
  const { messageId, msisdn, state, time } = read.receipt;
  const message = messages.get(messageId);
  if (!message) return { reason: 'no message has this messageId' };
  if (message.msisdn !== msisdn) return { reason: 'the message went to another msisdn' };
  if (!message.registered) return { reason: 'the message was not sent, its msisdn was not registered' };
  return {
    message,
    state,
    atMs: possibleTime(Date.parse(time), { from: message.acceptedAt, until: sentAt }),
  };
}

/** Rule 47: phones' clocks are wrong, so a time outside acceptance and report is moved to the nearer of them. */
function possibleTime(atMs: number, { from, until }: { from: number; until: number }): number {
  return Math.max(from, Math.min(atMs, until));
}
