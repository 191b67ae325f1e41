import * as z from 'zod/mini';
import { restoreNumbers } from '../platform/json/numbers.ts';
import { gunzip } from '../platform/runtime/gzip.ts';
import { addIssue } from '../platform/validation/add-issue.ts';
import { recipientsPerPart } from './packed-recipients.ts';
import { ContentSummary } from './sending/content-summary.ts';
import { StoredPushContent } from './sending/push-content.ts';

/** Messages of a multi send in one row: 4 kB each before gzip at most, so they stay under a row's 400 kB. */
export const multiPerPart = 80;

/** The JSON text of a content, or of its summary. */
function stored<Schema extends z.ZodMiniType>(schema: Schema) {
  return z.pipe(
    z.string(),
    z.transform((text, context): z.output<Schema> => {
      const parsed = schema.safeParse(JSON.parse(text));
      if (!parsed.success) return addIssue(context, 'must be the JSON of a content');
      return restoreNumbers(parsed.data, text);
    }),
  );
}
export const StoredContent = stored(StoredPushContent);

/** `requestId` names the request that sent it. */
const Owner = z.object({
  partnerId: z.string(),
  acceptedAt: z.number(),
  requestId: z.optional(z.string()),
  /** The time for which it was scheduled, ms; absent where it was handed over at once. */
  deliverFrom: z.optional(z.number()),
  /** When it was handed over, if it was scheduled. */
  releasedAt: z.optional(z.number()),
  /** When the partner first asked to take all of it back. It is never released after that. */
  cancelledAt: z.optional(z.number()),
});

/** A single message. */
export const SingleSend = z.extend(Owner, {
  messageId: z.string(),
  msisdn: z.number(),
  registered: z.boolean(),
  content: StoredContent,
});
/** A message as it was accepted: it is a row, or was made of the rows of its bulk send. */
export type StoredMessage = z.infer<typeof SingleSend>;

/** A bulk send without its recipients. */
export const BulkSend = z.extend(Owner, {
  bulkId: z.string(),
  count: z.number(),
  /** How many of its recipients were registered; sends of earlier versions lack it. */
  registeredCount: z.optional(z.number()),
  /** Whether single messages of it were cancelled before its release. */
  someCancelled: z.optional(z.boolean()),
  /** Absent where each recipient has a content of its own. */
  content: z.optional(StoredContent),
  /** The members that all contents have in common, where each recipient has a content. */
  summary: z.optional(stored(ContentSummary)),
});
export type BulkSend = z.infer<typeof BulkSend>;

export type Send = StoredMessage | BulkSend;

export function idOfSend(send: Send): string {
  return 'messageId' in send ? send.messageId : send.bulkId;
}

export function parseSend(row: Record<string, unknown>): Send {
  return 'count' in row ? BulkSend.parse(row) : SingleSend.parse(row);
}

export const PartRow = z.object({
  recipients: z.instanceof(Uint8Array),
  contents: z.optional(z.instanceof(Uint8Array)),
});
const Contents = z.array(StoredPushContent);

/** The number of recipients in each part of the send, except the last. */
export function partSize(send: { content?: unknown }): number {
  return send.content ? recipientsPerPart : multiPerPart;
}

/** The numbers of the send's parts. */
export function partsOf(send: Pick<BulkSend, 'count' | 'content'>): number[] {
  return Array.from({ length: Math.ceil(send.count / partSize(send)) }, (_, part) => part);
}

/** The read units that a part takes at most: its recipients have 8 bytes each, or a content of 4 kB each. */
export function unitsOfPart(send: { content?: unknown }): number {
  return send.content ? 2 : 33;
}

/** A part of a bulk send. `contents` is empty if all its recipients have the content of the send. */
export type Part = { recipients: Uint8Array; contents: z.infer<typeof Contents> };

export async function parsePart(row: unknown): Promise<Part> {
  const { recipients, contents } = PartRow.parse(row);
  if (!contents) return { recipients, contents: [] };
  const text = (await gunzip(contents)).toString();
  return { recipients, contents: restoreNumbers(Contents.parse(JSON.parse(text)), text) };
}
