import * as z from 'zod/mini';
import { epochSeconds } from '../../platform/runtime/clock.ts';
import { deleteAll, readAll } from '../../platform/table/batches.ts';
import { deadlineKey, deadlineShardOf, parseDeadlineKey } from '../../platform/table/row-keys/push.ts';
import {
  type DuePage,
  deleteIf,
  putIf,
  queryDue,
  still,
  updateIf,
  updateIfStill,
} from '../../platform/table/rows.ts';
import type { Table } from '../../platform/table/table.ts';
import { rowsKeptMs } from '../retention.ts';

/** A send of which some messages have not ended, with the earliest of their deadlines, ms. */
const DeadlineRow = z.pipe(
  z.object({ pk: z.string(), sk: z.string(), dueAt: z.number(), acceptedAt: z.number() }),
  z.transform(({ dueAt, acceptedAt, ...key }) => ({ sendId: parseDeadlineKey(key), dueAt, acceptedAt })),
);

/** `sendId`: the id of a single message, or of a bulk send. */
export type Deadline = z.infer<typeof DeadlineRow>;

/**
 * Saves a deadline. It is written before the send itself, so that no send is accepted without it. Of several tries of a
 * request the earliest deadline stays, because the parts of an earlier try may be the ones that are stored.
 */
export async function saveDeadline(
  table: Table,
  { sendId, dueAt, acceptedAt, partnerId }: Deadline & { partnerId: string },
): Promise<void> {
  await putIf(table, {
    Item: {
      ...deadlineKey(sendId),
      partnerId,
      acceptedAt,
      dueShard: deadlineShardOf(sendId),
      dueAt,
      expiresAt: epochSeconds(acceptedAt + rowsKeptMs),
    },
    ConditionExpression: 'attribute_not_exists(pk) OR dueAt > :dueAt',
    ExpressionAttributeValues: { ':dueAt': dueAt },
  });
}

/** A send with a deadline has one row, which is in the index `due` until all its messages have ended. */
export function deadlineStore(table: Table) {
  return {
    /** The sends of a shard with a deadline up to `untilMs`, the earliest first, as the index shows them. */
    passed: async (shard: string, untilMs: number, page: DuePage) => {
      const { rows, next } = await queryDue(table, shard, untilMs, page);
      return { sendIds: rows.map(parseDeadlineKey), next };
    },

    /** The deadlines of these sends, which must be distinct. A send that has ended has none. */
    find: async (sendIds: readonly string[]): Promise<Deadline[]> => {
      const rows = await readAll(table, sendIds.map(deadlineKey), { consistent: true });
      return z.array(DeadlineRow).parse(rows);
    },

    /** Ends sends of single messages, 25 in a call. They have no further deadline, so this needs no condition. */
    endSingles: (sendIds: readonly string[]) => deleteAll(table, sendIds.map(deadlineKey)),

    /** Moves a send on to its next deadline, or ends it. One that has moved on meanwhile stays where it is. */
    moveOn: async ({ sendId, dueAt }: Deadline, next: number | undefined): Promise<void> => {
      const Key = deadlineKey(sendId);
      if (next !== undefined)
        await updateIf(table, { Key, ...updateIfStill({ dueAt }, { set: { dueAt: next } }) });
      else await deleteIf(table, { Key, ...still({ dueAt }) });
    },
  };
}

export type DeadlineStore = ReturnType<typeof deadlineStore>;
