import * as z from 'zod/mini';
import { gunzip } from '../platform/runtime/gzip.ts';
import { restoreNumbers } from '../platform/runtime/json-numbers.ts';
import { addIssue } from '../platform/validation/add-issue.ts';
import { recipientsPerPart } from './packed-recipients.ts';
import { ContentSummary } from './sending/content-summary.ts';
import { StoredPushContent } from './sending/push-content.ts';

/** Messages of a multi send in one row: 4 kB each before gzip at most, so they stay under a row's 400 kB. */
export const multiPerPart = 80;

const Owner = z.object({ partnerId: z.string(), acceptedAt: z.number(), requestId: z.optional(z.string()) });
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
export const SingleRow = z.extend(Owner, {
  msisdn: z.number(),
  registered: z.boolean(),
  content: StoredContent,
});
export const BulkRow = z.extend(Owner, {
  count: z.number(),
  /** Absent where each recipient has one. */
  content: z.optional(StoredContent),
  /** What all contents have in common, where each recipient has one. */
  summary: z.optional(stored(ContentSummary)),
});
export const PartRow = z.object({
  recipients: z.instanceof(Uint8Array),
  contents: z.optional(z.instanceof(Uint8Array)),
});
const Contents = z.array(StoredPushContent);

/** A bulk send as the stream shows it, without its recipients. */
export const BulkSend = z.extend(BulkRow, { bulkId: z.string() });
export type BulkSend = z.infer<typeof BulkSend>;

/** A single message as the stream shows it. */
export const SingleSend = z.extend(SingleRow, { messageId: z.string() });
export type SingleSend = z.infer<typeof SingleSend>;

/** How many recipients a part of the send has, but for the last. */
export function sizeOf(send: { content?: unknown }): number {
  return send.content ? recipientsPerPart : multiPerPart;
}

export async function unpackContents({
  contents,
}: z.infer<typeof PartRow>): Promise<z.infer<typeof StoredPushContent>[]> {
  if (!contents) return [];
  const text = (await gunzip(contents)).toString();
  return restoreNumbers(Contents.parse(JSON.parse(text)), text);
}
