import * as z from 'zod/mini';
import type { SentBody } from '../platform/http/request-body.ts';
import { days, epochSeconds } from '../platform/runtime/clock.ts';
import { fastest, gunzip, gzip } from '../platform/runtime/gzip.ts';
import { readUnchanging } from '../platform/table/read-all.ts';
import { listPartKey } from '../platform/table/row-keys/places.ts';
import type { Table } from '../platform/table/table.ts';
import { writeAll } from '../platform/table/write-all.ts';
import type { ListMessage } from './list-message.ts';

/** SQS takes 1 MiB: this many bytes in base64, and the rest of the message. */
const bytesInMessage = 770_000;
/** A row takes 400 kB, its key included. */
const bytesInRow = 390_000;

/** Longer than the queue keeps a message. */
export const listContentKeptMs = days(5);

type Ref = { offerId: string; sessionId: string };

/** Skips a byte order mark, which a partner may have sent. */
const utf8 = new TextDecoder();

const PartRow = z.object({ part: z.int(), content: z.instanceof(Uint8Array) });

/** The contents of lists on their way to the worker. */
export function listContentStore(table: Table) {
  return {
    /** Packs a list for its message, as it came if it came gzipped. One that is too large for a message is stored first. */
    pack: async (
      { offerId, sessionId }: Ref,
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
