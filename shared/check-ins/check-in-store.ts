import * as z from 'zod/mini';
import { days, epochSeconds } from '../runtime/clock.ts';
import { deleteIf, putIf, updateIf } from '../table/condition.ts';
import {
  activeCheckInKey,
  checkInCounterKey,
  checkInKey,
  checkInsPartition,
  type Key,
} from '../table/keys.ts';
import { putRow, queryRows, readRow, updateRow } from '../table/rows.ts';
import type { Table } from '../table/table.ts';
import type { ActiveCheckIn, CheckIn } from './check-in.ts';

/** How long a redeemed or expired check-in is distinguished from an unknown one. */
const rememberedMs = days(30);

const ActiveRow = z.object({
  secretCode: z.string(),
  checkinNumber: z.number(),
  cardNumber: z.string(),
  activeUntil: z.number(),
  usedBy: z.optional(z.string()),
});
const NumberRow = z.object({ placeId: z.string(), cardNumber: z.string(), rememberedUntil: z.number() });
const Counter = z.object({ lastNumber: z.number(), shuffleKey: z.string() });

export type Redemption<Refusal> =
  | { outcome: 'redeemed'; checkIn: CheckIn }
  | { outcome: 'unknown' }
  /** Of a place that the redeemer may not use. */
  | { outcome: 'refused'; refusal: Refusal }
  /** Redeemed before, expired, or replaced by a newer check-in of the card. */
  | { outcome: 'not active' };

/**
 * Check-ins of an offer. The row of an active one is keyed by place and card, so a card has one at a place; of
 * several requests at once, the one that marks this row redeems the check-in. A second row finds the place by
 * number.
 */
export function checkInStore(table: Table) {
  return {
    /** Strongly consistent: a check-in redeemed before this call is not in it. */
    activeAt: async (offerId: string, placeId: string, nowMs: number): Promise<ActiveCheckIn[]> => {
      const active: ActiveCheckIn[] = [];
      const rows = queryRows(table, {
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': checkInsPartition(offerId, placeId) },
      });
      for await (const row of rows) {
        const checkIn = ActiveRow.parse(row);
        if (checkIn.activeUntil > nowMs && !checkIn.usedBy) active.push(checkIn);
      }
      return active.sort((a, b) => a.checkinNumber - b.checkinNumber);
    },

    /** The next number of the offer, and the key for its secret codes (generated at the first call). */
    nextNumber: async (
      offerId: string,
      newShuffleKey: string,
    ): Promise<{ checkinNumber: number; shuffleKey: string }> => {
      const { Attributes } = await updateRow(table, {
        Key: checkInCounterKey(offerId),
        UpdateExpression: 'ADD lastNumber :one SET shuffleKey = if_not_exists(shuffleKey, :newKey)',
        ExpressionAttributeValues: { ':one': 1, ':newKey': newShuffleKey },
        ReturnValues: 'ALL_NEW',
      });
      const { lastNumber, shuffleKey } = Counter.parse(Attributes);
      return { checkinNumber: lastNumber, shuffleKey };
    },

    /**
     * Opens the check-in, or returns the one the card already has at the place (another request was faster). The
     * row by number is written first: a check-in that the cash desk can see can be redeemed.
     */
    open: async (
      offerId: string,
      placeId: string,
      checkIn: ActiveCheckIn,
      nowMs: number,
    ): Promise<ActiveCheckIn> => {
      const { checkinNumber, cardNumber, activeUntil } = checkIn;
      const rememberedUntil = activeUntil + rememberedMs;
      await putRow(table, {
        ...checkInKey(offerId, checkinNumber),
        placeId,
        cardNumber,
        rememberedUntil,
        expiresAt: epochSeconds(rememberedUntil),
      });
      const opened = await putIf(table, {
        Item: {
          ...activeCheckInKey(offerId, placeId, cardNumber),
          ...checkIn,
          expiresAt: epochSeconds(activeUntil),
        },
        ConditionExpression: 'attribute_not_exists(pk) OR activeUntil <= :now OR attribute_exists(usedBy)',
        ExpressionAttributeValues: { ':now': nowMs },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      });
      return opened.applied ? checkIn : ActiveRow.parse(opened.existing);
    },

    /**
     * Of any number of callers at once exactly one redeems the check-in. The SDK repeats a write whose response was
     * lost, so the row stores who redeemed it: a caller that finds its own mark has succeeded.
     */
    redeem: async <Refusal>(
      offerId: string,
      checkinNumber: number,
      redeemer: { by: string; nowMs: number; refusePlace?: (placeId: string) => Refusal | undefined },
    ): Promise<Redemption<Refusal>> => {
      const item = await readRow(table, checkInKey(offerId, checkinNumber));
      const known = item && NumberRow.parse(item);
      if (!known || known.rememberedUntil <= redeemer.nowMs) return { outcome: 'unknown' };
      const refusal = redeemer.refusePlace?.(known.placeId);
      if (refusal !== undefined) return { outcome: 'refused', refusal };
      const key = activeCheckInKey(offerId, known.placeId, known.cardNumber);
      const redeemed = await updateIf(table, {
        Key: key,
        UpdateExpression: 'SET usedBy = :by',
        // The card may have a newer check-in at the place by now.
        ConditionExpression:
          'checkinNumber = :number AND activeUntil > :now AND attribute_not_exists(usedBy)',
        ExpressionAttributeValues: {
          ':by': redeemer.by,
          ':number': checkinNumber,
          ':now': redeemer.nowMs,
        },
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      });
      const row = ActiveRow.safeParse(redeemed.applied ? redeemed.result.Attributes : redeemed.existing).data;
      if (row?.usedBy !== redeemer.by || row.checkinNumber !== checkinNumber)
        return { outcome: 'not active' };
      // It is redeemed already: a row that could not be removed is in no list and expires by itself.
      await removeRedeemed(table, key, redeemer.by).catch(() => undefined);
      return { outcome: 'redeemed', checkIn: row };
    },
  };
}

export type CheckInStore = ReturnType<typeof checkInStore>;

/** Redeemed rows are in no list; they are removed so that the list of a busy place stays one cheap read. */
async function removeRedeemed(table: Table, key: Key, by: string): Promise<void> {
  await deleteIf(table, {
    Key: key,
    ConditionExpression: 'usedBy = :by',
    ExpressionAttributeValues: { ':by': by },
  });
}
