import { formatIssues, parse } from '../platform/validation/format-issues.ts';
import type { Report } from './delivery-state-store.ts';
import type { StoredMessage } from './message-rows.ts';
import { Receipt } from './receipt.ts';

/** The receipt at a position of its message, or why it cannot be read. */
export function readReceipt(given: unknown, position: number): Receipt | { reason: string } {
  const parsed = parse(Receipt, given);
  if (parsed.success) return parsed.data;
  return { reason: formatIssues(parsed.error, `receipts[${position}]`).join('; ') };
}

/** What a receipt reports about its message, or why it cannot be recorded. */
export function matchReceipt(
  read: ReturnType<typeof readReceipt>,
  messages: ReadonlyMap<string, StoredMessage>,
  sentAt: number,
): Report | { reason: string } {
  if ('reason' in read) return read;
  const { messageId, msisdn, state, time } = read;
  const message = messages.get(messageId);
  if (!message) return { reason: 'no message has this messageId' };
  if (message.msisdn !== msisdn) return { reason: 'the message went to another msisdn' };
  if (!message.registered) return { reason: 'the message was not sent, its msisdn was not registered' };
  // Rule 47: phones' clocks are wrong, so a time outside acceptance and report is moved to the nearer of them.
  const atMs = Math.max(message.acceptedAt, Math.min(Date.parse(time), sentAt));
  return { message, state, atMs };
}
