import * as z from 'zod/mini';
import type { Occasion } from '../events/event.ts';
import { eventWrite } from '../events/event-store.ts';
import { readAll } from '../platform/table/batches.ts';
import {
  promotionCounterKey,
  promotionItemKey,
  promotionItemPrefix,
  promotionKey,
  promotionsPartition,
} from '../platform/table/row-keys/promotions.ts';
import type { RowKey } from '../platform/table/row-keys/row-key.ts';
import { queryPage, queryRows, readRow, updateExpression, updateIf } from '../platform/table/rows.ts';
import type { Table } from '../platform/table/table.ts';
import { changeRow, putNew, transactional } from '../platform/table/transactional.ts';
import {
  ListedPromotion,
  manyPromotions,
  maxPromotions,
  newestFirst,
  type Period,
  Promotion,
  type PromotionChanges,
} from './promotion.ts';

const Counter = z.object({ lastId: z.number() });

export type UpdateOutcome =
  | { outcome: 'updated'; period: Period }
  | { outcome: 'unknown' }
  /** The end would not be after the start; `stored` is the row as it is. */
  | { outcome: 'not in order'; stored: Period };

/**
 * Promotions of a partner. Each has a row with all fields and a small one for lists, so that a list does not read
 * the descriptions. Both are written in one transaction: no reader sees half a change.
 */
export function promotionStore(table: Table) {
  /**
   * Strongly consistent, so that a partner finds what it has just created. Newest start first. `beforeMany` is called before
   * most of many promotions are read, and ends the list by its failure.
   */
  const list = async <Refused = never>(
    partnerId: string,
    beforeMany?: () => Promise<Refused | undefined>,
  ): Promise<ListedPromotion[] | Refused> => {
    const query = {
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :items)',
      ExpressionAttributeValues: { ':pk': promotionsPartition(partnerId), ':items': promotionItemPrefix },
    };
    const firstPage = { ConsistentRead: true, Limit: beforeMany && manyPromotions + 1 };
    const { rows, next } = await queryPage(table, { ...query, ...firstPage });
    if (next) {
      const refused = await beforeMany?.();
      if (refused) return refused;
      for await (const row of queryRows(table, { ...query, ExclusiveStartKey: next })) rows.push(row);
    }
    return z.array(ListedPromotion).parse(rows).sort(newestFirst);
  };

  /** The promotion that a request made before it died, if it made one. Reads all: such repeats are rare. */
  const findMadeBy = async (partnerId: string, madeBy: string): Promise<ListedPromotion | undefined> =>
    (await list(partnerId)).find((promotion) => promotion.madeBy === madeBy);

  return {
    list,
    findMadeBy,

    /**
     * Stores the promotion with the partner's next number, unless that is beyond the most a partner may have. A failure
     * may leave a gap in the numbers. `madeBy` is the request, where a repetition of it must find what it has made.
     */
    create: async (
      partnerId: string,
      promotion: Omit<Promotion, 'promoId'>,
      { madeBy, ...occasion }: Occasion & { madeBy?: string | undefined },
    ): Promise<number | undefined> => {
      const promoId = await nextId(table, partnerId);
      if (promoId === undefined) return undefined;
      const { name, startsAt, endsAt } = promotion;
      const writes = [
        putNew(table, { ...promotionKey(partnerId, promoId), promoId, ...promotion }),
        putNew(table, { ...promotionItemKey(partnerId, promoId), promoId, name, startsAt, endsAt, madeBy }),
        eventWrite(table, partnerId, { ...occasion, kind: 'promotion.created', data: { promoId } }),
      ];
      // The write of a request that died may still come. The token lets either it or that of its repetition through.
      const stored = await transactional(table, writes, madeBy);
      if (stored.applied) return promoId;
      const made = madeBy && (await findMadeBy(partnerId, madeBy));
      if (made) return made.promoId;
      throw new Error(`promotion ${promoId} of ${partnerId} was not created: its number or token is used`);
    },

    find: async (partnerId: string, promoId: number): Promise<Promotion | undefined> => {
      const item = await readRow(table, promotionKey(partnerId, promoId));
      return item && Promotion.parse(item);
    },

    /** The promotions with these ids that exist, newest start first. */
    findAll: async (partnerId: string, promoIds: readonly number[]): Promise<Promotion[]> => {
      const rows = await readAll(
        table,
        promoIds.map((promoId) => promotionKey(partnerId, promoId)),
      );
      return z.array(Promotion).parse(rows).sort(newestFirst);
    },

    /**
     * Writes the given fields only, so that concurrent updates of different fields all succeed. That the end is
     * after the start is a condition of the write: two updates cannot break it together. A repetition of the request
     * `madeBy` in the ten minutes after it died does not write over what others have changed since.
     */
    update: async (
      partnerId: string,
      { promoId, changes, members }: { promoId: number; changes: PromotionChanges; members: string[] },
      { madeBy, ...occasion }: Occasion & { madeBy?: string | undefined },
    ): Promise<UpdateOutcome> => {
      const { name, startsAt, endsAt } = changes;
      const isListed = name !== undefined || startsAt !== undefined || endsAt !== undefined;
      const listed = { name, startsAt, endsAt };
      const writes = [
        buildUpdate(table, promotionKey(partnerId, promoId), changes, orderCondition(changes)),
        ...(isListed ? [buildUpdate(table, promotionItemKey(partnerId, promoId), listed)] : []),
        eventWrite(table, partnerId, { ...occasion, kind: 'promotion.updated', data: { promoId, members } }),
      ];
      const written = await transactional(table, writes, madeBy);
      const isDone = written.applied || written.at === -1;
      if (!isDone && !written.existing) return { outcome: 'unknown' };
      if (!isDone) return { outcome: 'not in order', stored: ListedPromotion.parse(written.existing) };
      // A transaction does not return what it wrote; the small row is cheap to read.
      const row = await readRow(table, promotionItemKey(partnerId, promoId));
      return { outcome: 'updated', period: ListedPromotion.parse(row) };
    },
  };
}

type Condition = { expression: string; values: Record<string, unknown> };

/** The change of a row that exists, under a condition. */
function buildUpdate(table: Table, Key: RowKey, changes: PromotionChanges, condition?: Condition) {
  const { ExpressionAttributeValues, ...change } = updateExpression({ set: changes });
  const values = { ...ExpressionAttributeValues, ...condition?.values };
  return changeRow(table, Key, {
    ...change,
    ConditionExpression: `attribute_exists(pk)${condition ? ` AND (${condition.expression})` : ''}`,
    // DynamoDB refuses an empty list of values.
    ...(Object.keys(values).length > 0 ? { ExpressionAttributeValues: values } : {}),
  });
}

/**
 * The condition that the end is after the start, when only one of them changes; when both do, the request was
 * checked.
 */
function orderCondition({ startsAt, endsAt }: PromotionChanges): Condition | undefined {
  if (startsAt && endsAt === undefined) {
    return {
      expression: 'attribute_not_exists(endsAt) OR endsAt.ms > :startMs',
      values: { ':startMs': startsAt.ms },
    };
  }
  if (endsAt && startsAt === undefined) {
    return { expression: 'startsAt.ms < :endMs', values: { ':endMs': endsAt.ms } };
  }
  return undefined;
}

/** Promotions are never deleted, so the last number says how many there are at most. */
async function nextId(table: Table, partnerId: string): Promise<number | undefined> {
  const { ExpressionAttributeValues, ...change } = updateExpression({ add: { lastId: 1 } });
  const counted = await updateIf(table, {
    Key: promotionCounterKey(partnerId),
    ...change,
    ConditionExpression: 'attribute_not_exists(#lastId) OR #lastId < :most',
    ExpressionAttributeValues: { ...ExpressionAttributeValues, ':most': maxPromotions },
    ReturnValues: 'ALL_NEW',
  });
  return counted.applied ? Counter.parse(counted.row).lastId : undefined;
}
