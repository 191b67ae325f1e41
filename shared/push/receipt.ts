import * as z from 'zod/mini';
import { named } from '../platform/validation/documented.ts';
import { type Issue, parse } from '../platform/validation/format-issues.ts';
import { dateTime } from '../platform/validation/moment.ts';
import type { Report } from './delivery-state-store.ts';
import { handedOverAt } from './hand-over.ts';
import { ReceiptState } from './history.ts';
import type { StoredMessage } from './message-rows.ts';
import { Msisdn } from './sending/push-content.ts';

/** A device reports one state of one message. */
export const Receipt = named('Receipt', {
  messageId: z.string().check(z.maxLength(64), z.toLowerCase()),
  msisdn: Msisdn,
  state: ReceiptState,
  time: dateTime(({ ms }) => ms).register(z.globalRegistry, {
    description: 'When it happened on the device; the offset may be Z, +03:00, +0300 or +03',
    format: 'date-time',
    example: '2026-05-20T12:00:00Z',
  }),
});
/** A receipt as it is sent. */
export type Receipt = z.input<typeof Receipt>;

export const receiptsPerMessage = 500;

/** The envelope is parsed first, so that one invalid receipt does not affect the 499 others. */
export const ReceiptEnvelope = z.object({
  receipts: z.array(z.unknown()).check(z.minLength(1), z.maxLength(receiptsPerMessage)),
});

export const ReceiptMessage = z
  .object({ receipts: z.array(Receipt).check(z.minLength(1), z.maxLength(receiptsPerMessage)) })
  .register(z.globalRegistry, {
    id: 'ReceiptMessage',
    title: 'delivery-receipts',
    description: 'One message of the queue delivery-receipts.',
  });

/** A receipt that cannot be recorded: why, by its position in its message, and what is kept of it. */
type Unusable = { issues: Issue[]; kept: unknown };
type ReadReceipt = z.output<typeof Receipt> & { position: number };

/** The receipt at a position of its message, or why it cannot be read. */
export function readReceipt(given: unknown, position: number): ReadReceipt | Unusable {
  const parsed = parse(Receipt, given);
  if (parsed.success) return { ...parsed.data, position };
  const issues = parsed.error.issues.map(({ path, ...issue }) => ({
    ...issue,
    path: ['receipts', position, ...path],
  }));
  return { issues, kept: shortened(given) };
}

/** Keeps the first members and characters of what was given, because 500 receipts share a row. */
function shortened(given: unknown, levels = 2): unknown {
  if (typeof given === 'string') return given.slice(0, 40);
  if (typeof given !== 'object' || given === null) return given;
  if (levels === 0) return '...';
  const members = Object.entries(given).slice(0, 8);
  return Object.fromEntries(
    members.map(([name, value]) => [name.slice(0, 40), shortened(value, levels - 1)]),
  );
}

/** Returns the report of a receipt about its message, or why it cannot be recorded. */
export function matchReceipt(
  read: ReadReceipt | Unusable,
  messages: ReadonlyMap<string, StoredMessage>,
  sentAt: number,
): Report | Unusable {
  if ('issues' in read) return read;
  const { position, messageId, msisdn, state, time } = read;
  // Its number is left out, because it may have been erased since.
  const kept = { messageId, state, time: new Date(time).toISOString() };
  const unusable = (message: string): Unusable => ({
    issues: [{ path: ['receipts', position], message }],
    kept,
  });
  const message = messages.get(messageId);
  if (!message) return unusable('no message has this messageId');
  if (message.msisdn !== msisdn) return unusable('the message went to another msisdn');
  if (!message.registered) return unusable('the message was not sent, its msisdn was not registered');
  const from = handedOverAt(message);
  if (from === undefined) return unusable('the message was not handed over, it is scheduled or cancelled');
  // Rule 47: phones' clocks are wrong, so a time outside handing over and report is moved to the nearer of them.
  const atMs = Math.max(from, Math.min(time, sentAt));
  return { message, state, atMs };
}
