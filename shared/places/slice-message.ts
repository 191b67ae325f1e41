import * as z from 'zod/mini';
import type { Message } from '../queues/send-all.ts';
import { gunzip, gzip } from '../runtime/gzip.ts';
import { restorer } from '../runtime/json-numbers.ts';
import type { Slice } from './slices.ts';

/**
 * A slice in the queue. Our own ids are plain, for logs and for the dead-letter queue; the partner's data is
 * packed, also because SQS refuses some characters that an itemId may contain.
 */
export const SliceMessage = z.object({
  partnerId: z.string(),
  offerId: z.string(),
  sessionId: z.string(),
  /** The request that sent the list. */
  requestId: z.optional(z.string()),
  dryRun: z.boolean(),
  slice: z.int(),
  /** base64 of the gzipped JSON of SliceContent */
  content: z.string(),
});
export type SliceMessage = z.infer<typeof SliceMessage>;

const SliceContent = z.object({
  owns: z.optional(z.object({ after: z.optional(z.string()), upTo: z.optional(z.string()) })),
  items: z.array(z.object({ index: z.int(), place: z.unknown(), rejection: z.optional(z.string()) })),
});

export type SessionRef = Omit<SliceMessage, 'slice' | 'content'>;

/** Slices of an offer keep their order, and the queue accepts each slice of a session once. */
export async function queueMessage(session: SessionRef, { slice, owns, items }: Slice): Promise<Message> {
  const content = (await gzip(JSON.stringify({ owns, items }))).toString('base64');
  return {
    id: String(slice),
    body: JSON.stringify({ ...session, slice, content } satisfies SliceMessage),
    group: session.offerId,
    deduplicationId: `${session.sessionId}:${slice}`,
  };
}

/** `asSent` of an item is there when the place has numbers that JavaScript would write differently. */
export async function unpackSlice({ content }: SliceMessage) {
  const text = (await gunzip(Buffer.from(content, 'base64'))).toString();
  const { owns, items } = SliceContent.parse(JSON.parse(text));
  const restore = restorer(text);
  if (!restore) return { owns, items };
  const sent = restore(SliceContent.parse(JSON.parse(text))).items;
  return { owns, items: items.map((item, n) => ({ ...item, asSent: sent[n]?.place })) };
}
