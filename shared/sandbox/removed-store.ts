import * as z from 'zod/mini';
import { days, epochSeconds } from '../platform/runtime/clock.ts';
import { inParallel } from '../platform/runtime/in-parallel.ts';
import { readAll } from '../platform/table/batches.ts';
import { distinctKeys, rowId } from '../platform/table/row-keys/row-key.ts';
import { removedKey } from '../platform/table/row-keys/sandbox.ts';
import { updateRow } from '../platform/table/rows.ts';
import type { Table } from '../platform/table/table.ts';
import { parseMessageId } from '../push/message-id.ts';

/** A message may stay in its queue and in the dead-letter queue for this long, while its cancellation came first. */
const keptMs = days(18);
/** The positions of a row make 3 kB. */
const positionsPerRow = 1_000;
const rowsAtOnce = 10;

const RemovedRow = z.object({
  pk: z.string(),
  sk: z.string(),
  positions: z.set(z.number()),
  keptUntil: z.number(),
});

/** The messages that the simulated wallet platform has removed from devices, or never shows, because they were taken back. */
export function removedStore(table: Table) {
  return {
    add: async (partnerId: string, messageIds: readonly string[], nowMs: number): Promise<void> => {
      const rows = Map.groupBy(messageIds.map(placeOf), ({ key }) => rowId(key));
      await inParallel(rowsAtOnce, rows.values(), async (places) => {
        const [first] = places;
        if (!first) return;
        await updateRow(table, {
          Key: first.key,
          UpdateExpression:
            'ADD positions :positions SET partnerId = :partner, keptUntil = :until, expiresAt = :expiresAt',
          ExpressionAttributeValues: {
            ':positions': new Set(places.map(({ position }) => position)),
            ':partner': partnerId,
            ':until': nowMs + keptMs,
            ':expiresAt': epochSeconds(nowMs + keptMs),
          },
        });
      });
    },

    /** Those of the messages that were removed, by consistent reads of a row for up to 1,000 neighbours. */
    among: async (messageIds: readonly string[], nowMs: number): Promise<ReadonlySet<string>> => {
      const places = messageIds.map((messageId) => ({ messageId, ...placeOf(messageId) }));
      const keys = distinctKeys(places.map(({ key }) => key));
      const rows = z.array(RemovedRow).parse(await readAll(table, keys, { consistent: true }));
      const kept = rows.filter(({ keptUntil }) => keptUntil > nowMs);
      const removed = new Map(kept.map((row) => [rowId(row), row.positions]));
      const isRemoved = ({ key, position }: (typeof places)[number]) =>
        removed.get(rowId(key))?.has(position) === true;
      return new Set(places.filter(isRemoved).map(({ messageId }) => messageId));
    },
  };
}

function placeOf(messageId: string) {
  const { sendId, position } = parseMessageId(messageId) ?? { sendId: messageId, position: 0 };
  return { key: removedKey(sendId, Math.floor(position / positionsPerRow)), position };
}
