import * as z from 'zod/mini';
import { type Failure, fail } from '../platform/http/failures.ts';
import { days, epochSeconds, hours } from '../platform/runtime/clock.ts';
import {
  activeCheckInKey,
  checkInCounterKey,
  checkInKey,
  checkInsPartition,
} from '../platform/table/row-keys/check-ins.ts';
import type { RowKey } from '../platform/table/row-keys/row-key.ts';
import {
  createRow,
  deleteIf,
  inPartition,
  putIf,
  queryRows,
  readRow,
  still,
  updateExpression,
  updateIf,
  updateRow,
} from '../platform/table/rows.ts';
import type { Table } from '../platform/table/table.ts';
import { named } from '../platform/validation/documented.ts';
import { numberOrDigits } from '../platform/validation/number-or-digits.ts';
import { isBlank, text } from '../platform/validation/text.ts';

export const defaultLifetimeMs = hours(2);

export const CardNumber = text(1, 128, {
  description: "Loyalty card number in the partner's CRM",
  example: '9643907500000012',
});

/** A card number as the wallet platform may send it. (Open check-ins may have a blank one, from before.) */
export const SentCardNumber = CardNumber.check(z.refine((value) => !isBlank(value), 'must not be blank'));

export const CheckInNumber = z.int().check(z.positive()).register(z.globalRegistry, {
  description: 'Identifier of the check-in, counts up per loyalty program',
  example: 17,
});

/** Requests may give the number as a JSON number or as a string of digits. */
export const CheckInNumberInput = numberOrDigits(
  { max: Number.MAX_SAFE_INTEGER, zeros: 'send the checkinNumber of the list, not a secretCode' },
  { description: 'Identifier of the check-in: a number, or the same as a string of digits', example: 17 },
);

const fourDigits = 'must be a string of 4 digits, with its leading zeros';

export const SecretCode = z
  .string(fourDigits)
  .check(z.regex(/^\d{4}$/, fourDigits))
  .register(z.globalRegistry, {
    description: '4 digits; the customer names it at the cash desk',
    example: '0022',
  });

/** A check-in as the cash desk sees it (2.3). */
export const CheckIn = named(
  'CheckIn',
  { secretCode: SecretCode, checkinNumber: CheckInNumber, cardNumber: CardNumber },
  'An active check-in.',
);
export type CheckIn = z.infer<typeof CheckIn>;

/** A check-in with its end, in milliseconds UTC: at that millisecond it is no longer active. */
export type ActiveCheckIn = CheckIn & { activeUntil: number };

/** How long a redeemed or expired check-in is distinguished from an unknown one. */
const rememberedMs = days(30);

const ActiveRow = z.object({
  secretCode: z.string(),
  checkinNumber: z.number(),
  cardNumber: z.string(),
  activeUntil: z.number(),
});
/** `redeemedBy` is the request that redeemed the check-in. */
const NumberRow = z.object({
  placeId: z.string(),
  cardNumber: z.string(),
  activeUntil: z.number(),
  redeemedBy: z.optional(z.string()),
  redeemedAt: z.optional(z.number()),
});
const Counter = z.object({ lastNumber: z.number(), shuffleKey: z.string() });

/** What the cash desk believes about the check-in; an absent member is not compared. */
export type Meant = { secretCode?: string | undefined; placeId?: string | undefined };

type Redeemer = {
  by: string;
  nowMs: number;
  /** The failure at a place that the caller's key may not use. */
  refusePlace?: (placeId: string) => Failure<'PLACE_FORBIDDEN'> | undefined;
  meant?: Meant;
};

/**
 * Check-ins of an offer. The row of an active one is keyed by place and card, so a card has one at a place, and lists
 * have it. A second row finds the place by number: of several requests at once, the one that marks this row redeems the
 * check-in.
 */
export function checkInStore(table: Table) {
  /** Whether the check-in is redeemed, although it may still be listed: the redeeming request died before it deleted the row. */
  const isRedeemed = async (offerId: string, checkinNumber: number): Promise<boolean> => {
    const row = await readRow(table, checkInKey(offerId, checkinNumber));
    return row !== undefined && NumberRow.parse(row).redeemedBy !== undefined;
  };

  return {
    isRedeemed,

    /** Strongly consistent: a check-in redeemed before this call is not in it. */
    activeAt: async (offerId: string, placeId: string, nowMs: number): Promise<ActiveCheckIn[]> => {
      const active: ActiveCheckIn[] = [];
      for await (const row of queryRows(table, inPartition(checkInsPartition(offerId, placeId)))) {
        const checkIn = ActiveRow.parse(row);
        if (checkIn.activeUntil > nowMs) active.push(checkIn);
      }
      return active.sort((a, b) => a.checkinNumber - b.checkinNumber);
    },

    /** The next number of the offer, and the key for its secret codes (generated at the first call). */
    nextNumber: async (offerId: string, newShuffleKey: string) => {
      const { Attributes } = await updateRow(table, {
        Key: checkInCounterKey(offerId),
        ...updateExpression({ add: { lastNumber: 1 }, setIfAbsent: { shuffleKey: newShuffleKey } }),
        ReturnValues: 'ALL_NEW',
      });
      const { lastNumber, shuffleKey } = Counter.parse(Attributes);
      return { checkinNumber: lastNumber, shuffleKey };
    },

    /**
     * Opens the check-in, or returns the one the card already has at the place (another request was faster). The row by
     * number is written first: a check-in that the cash desk can see can be redeemed. It takes the place of the one
     * with the number `instead`, which was redeemed.
     */
    open: async (
      { offerId, placeId }: { offerId: string; placeId: string },
      checkIn: ActiveCheckIn,
      { nowMs, instead }: { nowMs: number; instead?: number | undefined },
    ): Promise<ActiveCheckIn> => {
      const { checkinNumber, cardNumber, activeUntil } = checkIn;
      // Each number is opened once. A try of this write that takes effect late must not undo a redemption.
      await createRow(table, {
        ...checkInKey(offerId, checkinNumber),
        placeId,
        cardNumber,
        activeUntil,
        expiresAt: epochSeconds(activeUntil + rememberedMs),
      });
      const opened = await putIf(table, {
        Item: {
          ...activeCheckInKey(offerId, placeId, cardNumber),
          ...checkIn,
          expiresAt: epochSeconds(activeUntil),
        },
        ConditionExpression: 'attribute_not_exists(pk) OR activeUntil <= :now OR checkinNumber = :instead',
        ExpressionAttributeValues: { ':now': nowMs, ':instead': instead ?? 0 },
      });
      return opened.applied ? checkIn : ActiveRow.parse(opened.row);
    },

    /**
     * Exactly one of any number of concurrent callers redeems the check-in. The same caller (`by`) may ask again and
     * gets the same response. Lists no longer have the check-in then, unless `stillListed` says why they do.
     */
    redeem: async (
      offerId: string,
      checkinNumber: number,
      { by, nowMs, refusePlace, meant = {} }: Redeemer,
    ) => {
      const row = await readRow(table, checkInKey(offerId, checkinNumber));
      const known = row && NumberRow.parse(row);
      if (!known || known.activeUntil + rememberedMs <= nowMs)
        return fail('CHECKIN_NOT_FOUND', `checkinNumber: ${checkinNumber} is not a check-in of this offer`);
      const { placeId, cardNumber } = known;
      const refused = refusePlace?.(placeId);
      if (refused) return refused;
      const listedKey = activeCheckInKey(offerId, placeId, cardNumber);
      const isOpen = known.redeemedBy === undefined && known.activeUntil > nowMs;
      const ofCard = isOpen ? await readRow(table, listedKey) : undefined;
      const listed = ofCard?.['checkinNumber'] === checkinNumber ? ofCard : undefined;
      // It left the list since its row was read, because another request redeemed it. If none did, its opening was
      // interrupted, or another number won the card's row.
      if (isOpen && !listed && !(await isRedeemed(offerId, checkinNumber)))
        return notActive(checkinNumber, 'is not active');
      const member = listed && mismatchIn(meant, { placeId, secretCode: listed['secretCode'] });
      if (member) {
        const sentence = `${member}: is not that of the check-in ${checkinNumber}, nothing was redeemed`;
        return fail('CHECKIN_MISMATCH', sentence);
      }
      const { redeemedBy, redeemedAt, activeUntil } = isOpen
        ? await claim(table, checkInKey(offerId, checkinNumber), { by, nowMs })
        : known;
      if (redeemedAt === undefined) return notActive(checkinNumber, 'expired', activeUntil);
      // The card may have a newer check-in at the place by now, which stays listed. This one is redeemed in any case.
      const unlist = () => deleteIf(table, { Key: listedKey, ...still({ checkinNumber }) });
      // A delete without a response may not have been made, and a list must not show the check-in after this response.
      const stillListed = await unlist()
        .catch(unlist)
        .then(() => undefined, String);
      return redeemedBy === by
        ? { cardNumber, redeemedAtMs: redeemedAt, stillListed }
        : notActive(checkinNumber, 'was redeemed', redeemedAt);
    },
  };
}

export type CheckInStore = ReturnType<typeof checkInStore>;

/** `sinceMs` is absent for a number that was never given to a caller: its opening was interrupted, or lost a race. */
function notActive(checkinNumber: number, why: string, sinceMs?: number) {
  const since = sinceMs === undefined ? '' : ` at ${new Date(sinceMs).toISOString()}`;
  const advice = 'check the number or ask for a new check-in';
  return fail('CHECKIN_NOT_ACTIVE', `checkinNumber: ${checkinNumber} ${why}${since}, ${advice}`);
}

/** The first member that is given and not that of the check-in. */
function mismatchIn(meant: Meant, checkIn: Record<keyof Meant, unknown>): keyof Meant | undefined {
  const members = ['secretCode', 'placeId'] as const;
  return members.find((member) => meant[member] !== undefined && meant[member] !== checkIn[member]);
}

/** Marks the row as redeemed, if it is not and has not expired, and returns it as it is then. */
async function claim(table: Table, Key: RowKey, { by, nowMs }: { by: string; nowMs: number }) {
  const claimed = await updateIf(table, {
    Key,
    UpdateExpression: 'SET redeemedBy = :by, redeemedAt = :now',
    ConditionExpression: 'attribute_not_exists(redeemedBy) AND activeUntil > :now',
    ExpressionAttributeValues: { ':by': by, ':now': nowMs },
    ReturnValues: 'ALL_NEW',
  });
  return NumberRow.parse(claimed.row);
}
