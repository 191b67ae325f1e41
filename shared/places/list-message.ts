import * as z from 'zod/mini';
import type { Message } from '../platform/queues/send-all.ts';

/** An accepted list: everything that its session and its worker need except its content. */
export const AcceptedList = z.object({
  partnerId: z.string(),
  offerId: z.string(),
  sessionId: z.string(),
  /** The request that sent the list. */
  requestId: z.optional(z.string()),
  acceptedAt: z.number(),
  received: z.int(),
  dryRun: z.boolean(),
  confirmed: z.boolean(),
  removalPercent: z.number(),
});
export type AcceptedList = z.infer<typeof AcceptedList>;

/**
 * `content` is the list as it was sent, gzipped: in the message (base64), or, where it does not fit, in rows of the
 * table. It is packed also because SQS refuses some characters that an itemId may contain.
 */
export const ListMessage = z.extend(AcceptedList, {
  content: z.union([z.string(), z.object({ rows: z.int() })]),
});
export type ListMessage = z.infer<typeof ListMessage>;

/** The messages of an offer keep their order, and the queue takes each session once. */
export function queueMessage(message: ListMessage): Message {
  return {
    id: 'list',
    body: JSON.stringify(message),
    group: message.offerId,
    deduplicationId: message.sessionId,
  };
}
