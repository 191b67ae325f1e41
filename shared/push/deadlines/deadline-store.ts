import * as z from 'zod/mini';
import { deleteAll, readAll } from '../../platform/table/batches.ts';
import { deadlineKey, deadlineShardOf } from '../../platform/table/row-keys/push.ts';
import { idIn } from '../../platform/table/row-keys/row-key.ts';
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
import type { Recipient } from '../packed-recipients.ts';
import { rowsExpireAt } from '../retention.ts';
import type { PushContent } from '../sending/push-content.ts';
import { deliverFromOf, earliestDeadline } from './deadline.ts';

/** A send to which something happens at `dueAt` (ms): its release, then the deadlines of messages that have not ended. */
const DeadlineRow = z.pipe(
  z.object({
    pk: z.string(),
    partnerId: z.string(),
    acceptedAt: z.number(),
    dueAt: z.number(),
    /** Of a scheduled send: its first deadline, which follows its release. */
    thenAt: z.optional(z.number()),
    /** A bulk send has this once its messages have begun to end: the first deadline left in each part, or null. */
    partsDueAt: z.optional(z.array(z.nullable(z.number()))),
    /** The request that asked to take the send back, which has not been done yet. */
    cancelRequestId: z.optional(z.string()),
    /** Set by a restore: what was due up to then may have happened after the moment of the copy. */
    restoredAt: z.optional(z.number()),
  }),
  z.transform(({ pk, ...row }) => ({ sendId: idIn({ pk }), ...row })),
);

/** `sendId`: the id of a single message, or of a bulk send. */
export type Deadline = z.infer<typeof DeadlineRow>;

/** When the next thing is due, ms; `undefined`: nothing is. */
export type Next = { at: number | undefined; partsDueAt?: Deadline['partsDueAt'] };

/**
 * Saves what is due of a send, if something is: its release if it is scheduled, otherwise its first deadline. Returns
 * what its rows have of it.
 *
 * It is written before the send itself, so that no send is accepted without it. Of several tries of a request the
 * earliest time stays, because the parts of an earlier try may be the ones that are stored. A try with the same time
 * replaces an earlier one, so that `acceptedAt` is that of a request that may still store its send.
 */
export async function saveTimes(
  table: Table,
  { sendId, partnerId, acceptedAt }: Pick<Deadline, 'sendId' | 'partnerId' | 'acceptedAt'>,
  recipients: readonly Recipient[],
  contents: readonly PushContent[],
): Promise<{ deliverFrom: number | undefined }> {
  const deliverFrom = contents[0] && deliverFromOf(contents[0]);
  if (!recipients.some(({ registered }) => registered)) return { deliverFrom };
  // A recipient who is not registered now may be in the parts that an earlier try has stored: every deadline counts.
  const deadline = earliestDeadline(contents);
  const dueAt = deliverFrom ?? deadline;
  if (dueAt === undefined) return { deliverFrom };
  await putIf(table, {
    Item: {
      ...deadlineKey(sendId),
      partnerId,
      acceptedAt,
      dueAt,
      thenAt: deliverFrom === undefined ? undefined : deadline,
      dueShard: deadlineShardOf(sendId),
      expiresAt: rowsExpireAt({ acceptedAt, deliverFrom }),
    },
    ConditionExpression:
      'attribute_not_exists(pk) OR (dueAt >= :dueAt AND attribute_not_exists(cancelRequestId))',
    ExpressionAttributeValues: { ':dueAt': dueAt },
  });
  return { deliverFrom };
}

/** A send with a deadline has one row, which is in the index `due` until all its messages have ended. */
export function deadlineStore(table: Table) {
  return {
    /** The sends of a shard that are due up to `untilMs`, the earliest first, as the index shows them. */
    dueUntil: async (shard: string, untilMs: number, page: DuePage) => {
      const { rows, next } = await queryDue(table, shard, untilMs, page);
      return { due: rows.map((row) => ({ sendId: idIn(row), dueAt: row.dueAt })), next };
    },

    /** What is due of these sends, which must be distinct. A send that has ended has nothing. */
    find: async (sendIds: readonly string[]): Promise<Deadline[]> => {
      const rows = await readAll(table, sendIds.map(deadlineKey), { consistent: true });
      return z.array(DeadlineRow).parse(rows);
    },

    /** Ends stored sends of single messages, 25 in a call. Nothing else writes their rows, so this needs no condition. */
    endSingles: (sendIds: readonly string[]) => deleteAll(table, sendIds.map(deadlineKey)),

    /**
     * Moves a send on to what is due next, or ends it. One that has moved on meanwhile, that was to be taken back
     * meanwhile, or that a repeated request is about to store, stays where it is.
     */
    moveOn: async (due: Deadline, { at, partsDueAt }: Next): Promise<void> => {
      const { sendId, dueAt, cancelRequestId, acceptedAt } = due;
      const Key = deadlineKey(sendId);
      const seen = { dueAt, cancelRequestId, acceptedAt };
      const set = { dueAt: at, thenAt: null, cancelRequestId: null, partsDueAt };
      if (at !== undefined) await updateIf(table, { Key, ...updateIfStill(seen, { set }) });
      else await deleteIf(table, { Key, ...still(seen) });
    },
  };
}

export type DeadlineStore = ReturnType<typeof deadlineStore>;
