import * as z from 'zod/mini';
import { fail } from '../platform/http/failures.ts';
import { bulkKey, messageKey } from '../platform/table/row-keys/push.ts';
import type { RowKey } from '../platform/table/row-keys/row-key.ts';
import { described } from '../platform/validation/documented.ts';
import { text } from '../platform/validation/text.ts';

/**
 * A message id in a request, in lower case, as ours are written: some programs write UUIDs in upper case. An id that is
 * not in our format is treated as unknown.
 */
export const MessageId = text(1, 64, { format: 'uuid', minLength: undefined, maxLength: undefined }).check(
  z.toLowerCase(),
);

/** How log lines name the message of a path. What is not in our format may be anything, a phone number for example. */
export function messageFields(messageId: string): { messageId?: string } {
  return parseMessageId(messageId) ? { messageId } : {};
}

export function unknownMessage(messageId: string) {
  return fail('MESSAGE_NOT_FOUND', `messageId: ${messageId} is not a message of this account`);
}

/** A message id in the response to a send. */
export const SentMessageId = described(z.optional(z.uuid()), 'Absent in a dry run');

/**
 * Ids of messages (UUIDs). A single message has a random one (version 4). The messages of a bulk send have ids of
 * version 8: random and the same, except for the last four hex digits, which are the message's position in the
 * send (65,536 at most). So ten thousand messages need no rows of their own: the id tells where a message is stored.
 * A single message is a send of its own.
 */
export type MessageAddress = { sendId: string; position: number; isSingle: boolean };

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-([48])[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** The common part of a bulk send's ids, 106 random bits of a random UUID. */
export function bulkIdFrom(randomUuid: string): string {
  return `${randomUuid.slice(0, 14)}8${randomUuid.slice(15, -4)}`;
}

export function bulkMessageId(bulkId: string, position: number): string {
  return `${bulkId}${position.toString(16).padStart(4, '0')}`;
}

/** The id of the send that a message is part of. */
export function sendIdOf(messageId: string): string {
  return parseMessageId(messageId)?.sendId ?? messageId;
}

/** Whether the id of a send is that of a single message. */
export function isSingle(sendId: string): boolean {
  return parseMessageId(sendId)?.isSingle === true;
}

/** The key of the row that commits a send. */
export function sendKey(sendId: string): RowKey {
  return isSingle(sendId) ? messageKey(sendId) : bulkKey(sendId);
}

/** The place where a message is stored; `undefined` for an id that is not in our format. */
export function parseMessageId(messageId: string): MessageAddress | undefined {
  const version = uuid.exec(messageId)?.[1];
  if (version === undefined) return undefined;
  if (version === '4') return { sendId: messageId, position: 0, isSingle: true };
  const position = Number.parseInt(messageId.slice(-4), 16);
  return { sendId: messageId.slice(0, -4), position, isSingle: false };
}
