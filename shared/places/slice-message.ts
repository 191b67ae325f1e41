import type { SQSRecord } from 'aws-lambda';
import * as z from 'zod/mini';
import type { Message } from '../queues/send-all.ts';
import { fastest, gunzip, gzip } from '../runtime/gzip.ts';
import { restorer } from '../runtime/json-numbers.ts';
import type { ListItem, Slice } from './slices.ts';
import { removalsStep } from './sync-session.ts';

const SessionRef = z.object({
  partnerId: z.string(),
  offerId: z.string(),
  sessionId: z.string(),
  /** The request that sent the list. */
  requestId: z.optional(z.string()),
  dryRun: z.boolean(),
});
export type SessionRef = z.infer<typeof SessionRef>;

/**
 * A slice in the queue. Our own ids are plain, for logs and for the dead-letter queue; the partner's data is
 * packed, also because SQS refuses some characters that an itemId may contain.
 */
export const SliceMessage = z.extend(SessionRef, {
  slice: z.int(),
  /** base64 of the gzipped JSON of SliceContent */
  content: z.string(),
});
export type SliceMessage = z.infer<typeof SliceMessage>;

/** The last message of a session: remove what its slices found to be missing from the list. */
const RemovalsMessage = z.extend(SessionRef, { step: z.literal(removalsStep) });

export const SessionMessage = z.union([SliceMessage, RemovalsMessage]);
export type SessionMessage = z.infer<typeof SessionMessage>;

type Item = Omit<ListItem, 'asSent'>;

/** By hand: as a schema it would take a twentieth of the CPU of a slice without changes. A place is validated when it is planned. */
function isItem(value: Partial<Item> | null): boolean {
  const { index, rejection } = value ?? {};
  return Number.isInteger(index) && (rejection === undefined || typeof rejection === 'string');
}

const SliceContent = z.object({
  owns: z.optional(z.object({ after: z.optional(z.string()), upTo: z.optional(z.string()) })),
  items: z.custom<Item[]>((items) => Array.isArray(items) && items.every(isItem)),
});

/** Slices of an offer keep their order, and the queue accepts each slice of a session once. */
export async function queueMessage(session: SessionRef, { slice, json }: Slice): Promise<Message> {
  const content = (await gzip(json, fastest)).toString('base64');
  return {
    id: String(slice),
    body: JSON.stringify({ ...session, slice, content } satisfies SliceMessage),
    group: session.offerId,
    deduplicationId: `${session.sessionId}:${slice}`,
  };
}

/** Follows the slices of its session in the offer's queue, and precedes every slice of a later one. */
export function removalsMessage(session: SessionRef): Message {
  return {
    id: removalsStep,
    body: JSON.stringify({ ...session, step: removalsStep } satisfies SessionMessage),
    group: session.offerId,
    deduplicationId: `${session.sessionId}:${removalsStep}`,
  };
}

/**
 * The deduplication id says which messages run side by side, before any body is read: the slices of a session, and
 * then alone its removals.
 */
function stepOf({ attributes, messageId }: SQSRecord): string {
  const [sessionId = '', part] = attributes.MessageDeduplicationId?.split(':') ?? [messageId];
  return part === removalsStep ? `${sessionId}:${removalsStep}` : sessionId;
}

/** How the messages of a batch wait for each other: offers do not, the steps of an offer's sessions do. */
export const sessionOrder = {
  groupOf: ({ attributes, messageId }: SQSRecord) => attributes.MessageGroupId ?? messageId,
  stepOf,
};

/** Numbers that JavaScript would write differently are looked for when the first item is rejected. */
export async function unpackSlice({ content }: SliceMessage) {
  const text = (await gunzip(Buffer.from(content, 'base64'))).toString();
  const { owns, items } = SliceContent.parse(JSON.parse(text));
  let found: { restore: ReturnType<typeof restorer> } | undefined;
  const asSent = (place: unknown, n: number) => {
    found ??= { restore: restorer(text) };
    return found.restore ? found.restore(place, 'items', n, 'place') : place;
  };
  return { owns, items: items.map((item, n) => ({ ...item, asSent: () => asSent(item.place, n) })) };
}
