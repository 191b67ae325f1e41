import * as z from 'zod/mini';
import { days, epochSeconds } from '../platform/runtime/clock.ts';
import { inParallel } from '../platform/runtime/in-parallel.ts';
import { deleteAll } from '../platform/table/batches.ts';
import type { RowKey } from '../platform/table/row-keys/row-key.ts';
import { phonePartition, phonesKey, shownMessageKey } from '../platform/table/row-keys/sandbox.ts';
import {
  createRow,
  deleteIf,
  inPartition,
  type Query,
  queryPage,
  readPartition,
  still,
  updateIf,
} from '../platform/table/rows.ts';
import type { Table } from '../platform/table/table.ts';
import { StoredContent } from '../push/message-rows.ts';
import { ownPhones } from '../push/own-phones.ts';

export const maxPhones = 20;
const phonesKeptMs = days(30);

/** The newest messages that a phone shows. */
const shownAtMost = 100;
const messagesKeptMs = days(7);
const writesAtOnce = 10;

const ShownRow = z.object({
  pk: z.string(),
  sk: z.string(),
  messageId: z.string(),
  acceptedAt: z.number(),
  deliveredAt: z.number(),
  openedAt: z.optional(z.number()),
  /** When the wallet platform took it back. */
  removedAt: z.optional(z.number()),
  content: StoredContent,
});

/** A message on a phone, by the times at which it was accepted, appeared there and was opened, in ms. */
export type ShownMessage = Omit<z.infer<typeof ShownRow>, 'pk' | 'sk'>;

/**
 * The phones of a partner on a stage whose wallet platform is simulated, 20 at most, in one row, so that a
 * function with many recipients needs one read. They are kept 30 days after the last was added.
 */
export function phoneStore(table: Table) {
  return {
    numbers: ownPhones(table),

    /** False when the partner has as many phones as it may. */
    add: async (partnerId: string, msisdn: number, nowMs: number): Promise<boolean> => {
      const added = await addPhone(table, partnerId, { msisdn, nowMs });
      if (added.applied) return true;
      const keptUntil = Number(added.row?.['keptUntil']);
      if (keptUntil > nowMs) return false;
      // The row has expired, but is not deleted yet.
      await deleteIf(table, { Key: phonesKey(partnerId), ...still({ keptUntil }) });
      return (await addPhone(table, partnerId, { msisdn, nowMs })).applied;
    },

    /** Removes the phone with what it shows, page by page: a request that runs out of time is continued by the next. */
    remove: async (partnerId: string, msisdn: number): Promise<void> => {
      await removePhone(table, partnerId, msisdn);
      const query = { ...inPartition(phonePartition(partnerId, msisdn)), ProjectionExpression: 'pk, sk' };
      let from: Query['ExclusiveStartKey'];
      do {
        const page = await queryPage(table, { ...query, ConsistentRead: true, ExclusiveStartKey: from });
        await deleteAll(table, page.rows as RowKey[]);
        from = page.next;
      } while (from);
    },

    /** Puts messages on phones; one that is there stays as it is. */
    show: async (
      partnerId: string,
      messages: readonly (ShownMessage & { msisdn: number })[],
    ): Promise<void> => {
      await inParallel(writesAtOnce, messages, async ({ msisdn, content, ...message }) => {
        const { acceptedAt, messageId, deliveredAt } = message;
        await createRow(table, {
          ...shownMessageKey(phonePartition(partnerId, msisdn), acceptedAt, messageId),
          ...message,
          content: JSON.stringify(content),
          expiresAt: epochSeconds(deliveredAt + messagesKeptMs),
        });
      });
    },

    /**
     * Takes a message from a phone, also one that it does not show yet, unless it was opened before: then it stays. Returns
     * when it was opened, and `undefined` if it is not there.
     */
    take: async (
      partnerId: string,
      { msisdn, acceptedAt, messageId }: { msisdn: number; acceptedAt: number; messageId: string },
      nowMs: number,
    ): Promise<{ openedAt: number | undefined } | undefined> => {
      const taken = await updateIf(table, {
        Key: shownMessageKey(phonePartition(partnerId, msisdn), acceptedAt, messageId),
        UpdateExpression: 'SET removedAt = if_not_exists(removedAt, :now)',
        ConditionExpression:
          'attribute_exists(pk) AND (attribute_exists(removedAt) OR attribute_not_exists(openedAt) OR openedAt > :now)',
        ExpressionAttributeValues: { ':now': nowMs },
      });
      if (taken.applied) return { openedAt: undefined };
      return taken.row && { openedAt: ShownRow.parse(taken.row).openedAt };
    },

    /** The messages that a phone shows now, newest first. */
    shown: (partnerId: string, msisdn: number, nowMs: number): Promise<ShownMessage[]> =>
      shownOn(table, phonePartition(partnerId, msisdn), nowMs),

    /** Opens a message that a phone shows, once, and returns when that was; `undefined` if it does not show it. */
    open: async (phone: { partnerId: string; msisdn: number }, messageId: string, nowMs: number) => {
      const shown = await shownOn(table, phonePartition(phone.partnerId, phone.msisdn), nowMs);
      const row = shown.find((message) => message.messageId === messageId);
      if (!row) return undefined;
      const opened = await updateIf(table, {
        Key: { pk: row.pk, sk: row.sk },
        UpdateExpression: 'SET openedAt = :now',
        // Some numbers open their messages by themselves, a little later than they show them.
        ConditionExpression:
          'attribute_exists(pk) AND attribute_not_exists(removedAt) AND (attribute_not_exists(openedAt) OR openedAt > :now)',
        ExpressionAttributeValues: { ':now': nowMs },
      });
      return opened.applied ? nowMs : z.optional(ShownRow).parse(opened.row)?.openedAt;
    },
  };
}

/** Removes the phone from the partner's row. The messages on the phone stay. */
export async function removePhone(table: Table, partnerId: string, msisdn: number): Promise<void> {
  await updateIf(table, {
    Key: phonesKey(partnerId),
    UpdateExpression: 'DELETE numbers :one',
    ConditionExpression: 'contains(numbers, :msisdn)',
    ExpressionAttributeValues: { ':one': new Set([msisdn]), ':msisdn': msisdn },
  });
}

function addPhone(table: Table, partnerId: string, { msisdn, nowMs }: { msisdn: number; nowMs: number }) {
  return updateIf(table, {
    Key: phonesKey(partnerId),
    UpdateExpression: 'ADD numbers :one SET keptUntil = :until, expiresAt = :expiresAt',
    ConditionExpression:
      'attribute_not_exists(numbers) OR (keptUntil > :now AND (contains(numbers, :msisdn) OR size(numbers) < :most))',
    ExpressionAttributeValues: {
      ':one': new Set([msisdn]),
      ':msisdn': msisdn,
      ':most': maxPhones,
      ':now': nowMs,
      ':until': nowMs + phonesKeptMs,
      ':expiresAt': epochSeconds(nowMs + phonesKeptMs),
    },
  });
}

async function shownOn(table: Table, pk: string, nowMs: number): Promise<z.infer<typeof ShownRow>[]> {
  const rows = await readPartition(table, pk, { ScanIndexForward: false, Limit: shownAtMost });
  const shown = z.array(ShownRow).parse(rows);
  return shown.filter(
    ({ deliveredAt, removedAt }) =>
      removedAt === undefined && deliveredAt <= nowMs && deliveredAt + messagesKeptMs > nowMs,
  );
}
