import * as z from 'zod/mini';
import type { SentBody } from '../platform/http/request-body.ts';
import { restorer } from '../platform/json/numbers.ts';
import type { Message } from '../platform/queues/queue.ts';
import { days, epochSeconds } from '../platform/runtime/clock.ts';
import { fastest, gunzip, gzip } from '../platform/runtime/gzip.ts';
import { readUnchanging, writeAll } from '../platform/table/batches.ts';
import { listPartKey } from '../platform/table/row-keys/places.ts';
import type { Table } from '../platform/table/table.ts';
import { mayBeDamaged } from '../platform/validation/damaged-text.ts';

/** An accepted list: everything that its session and its worker need except its content. */
export const AcceptedList = z.object({
  partnerId: z.string(),
  offerId: z.string(),
  sessionId: z.string(),
  /** The request that sent the list, and its key. */
  requestId: z.optional(z.string()),
  login: z.optional(z.string()),
  acceptedAt: z.number(),
  received: z.int(),
  dryRun: z.boolean(),
  confirmed: z.boolean(),
  removalPercent: z.number(),
});
export type AcceptedList = z.infer<typeof AcceptedList>;
export type SessionRef = Pick<AcceptedList, 'offerId' | 'sessionId'>;

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
    body: JSON.stringify(message),
    group: message.offerId,
    deduplicationId: message.sessionId,
  };
}

/** SQS takes 1 MiB: this many bytes in base64, and the rest of the message. */
const bytesInMessage = 770_000;
/** A row takes 400 kB, its key included. */
const bytesInRow = 390_000;

/** Longer than the queue keeps a message. */
export const listContentKeptMs = days(5);

/** Skips a byte order mark, which a partner may have sent. */
const utf8 = new TextDecoder();

const PartRow = z.object({ part: z.int(), content: z.instanceof(Uint8Array) });

/** The contents of lists on their way to the worker. */
export function listContentStore(table: Table) {
  return {
    /** Packs a list for its message, as it came if it came gzipped. One that is too large for a message is stored first. */
    pack: async (
      { offerId, sessionId }: SessionRef,
      { text, gzipped }: Pick<SentBody, 'text' | 'gzipped'>,
      nowMs: number,
    ) => {
      const packed = gzipped ?? (await gzip(text, fastest));
      if (packed.length <= bytesInMessage) return packed.toString('base64');
      const rows = Math.ceil(packed.length / bytesInRow);
      await writeAll(
        table,
        Array.from({ length: rows }, (_, part) => ({
          put: {
            ...listPartKey(offerId, sessionId, part),
            part,
            content: packed.subarray(part * bytesInRow, (part + 1) * bytesInRow),
            expiresAt: epochSeconds(nowMs + listContentKeptMs),
          },
        })),
      );
      return { rows };
    },

    unpack: async ({ offerId, sessionId, content }: ListMessage): Promise<string> => {
      if (typeof content === 'string') return utf8.decode(await gunzip(Buffer.from(content, 'base64')));
      const keys = Array.from({ length: content.rows }, (_, part) => listPartKey(offerId, sessionId, part));
      const parts = z.array(PartRow).parse(await readUnchanging(table, keys));
      if (parts.length < content.rows) throw new Error('the content of the list is not complete');
      const inOrder = parts.toSorted((a, b) => a.part - b.part).map((row) => row.content);
      return utf8.decode(await gunzip(Buffer.concat(inOrder)));
    },
  };
}

/** The elements of a list as the partner sent it. */
export type SentList = {
  places: readonly unknown[];
  /** An element may hold damaged text. */
  mayHoldDamage: boolean;
  /** An element with the source text of its numbers. */
  asSent: (index: number) => unknown;
};

const Body = z.object({ places: z.array(z.unknown()) });

/** Reads a list from its JSON. The source text of numbers is looked for when it is first needed. */
export function readList(json: string): SentList {
  const { places } = Body.parse(JSON.parse(json));
  let found: { restore: ReturnType<typeof restorer> } | undefined;
  const asSent = (index: number): unknown => {
    found ??= { restore: restorer(json) };
    const place = places[index];
    return found.restore ? found.restore(place, 'places', index) : place;
  };
  return { places, mayHoldDamage: mayBeDamaged(json), asSent };
}
