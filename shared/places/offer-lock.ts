import * as z from 'zod/mini';
import { backoff, type Pause } from '../runtime/backoff.ts';
import type { Clock } from '../runtime/clock.ts';
import { updateIf } from '../table/condition.ts';
import { offerLockKey } from '../table/keys.ts';
import { readRow } from '../table/rows.ts';
import type { Table } from '../table/table.ts';

/** Longer than the function that has the lock may run (29 s), so no function sends slices after losing it. */
const lockMs = 40_000;
const maxTries = 12;

/** How many of an offer's sessions can be listed. */
const sessionsListed = 20;

const Row = z.object({
  boundaries: z._default(z.array(z.string()), []),
  sessions: z._default(z.array(z.string()), []),
  lockedUntil: z.optional(z.number()),
});

/** `sessions` are the newest that were accepted, newest first. */
type Accepted = { boundaries: readonly string[]; sessions: readonly string[] };
type Acquired = Accepted | { busyUntil: number };

/**
 * Accepts one list of an offer at a time. The queue keeps an offer's messages in the order they were sent, but the
 * slices of two lists sent at the same time would mix, and each place would follow whichever list was last in its
 * slice. With the lock, all slices of one session come before those of the next. The row also stores where the
 * last list was cut (`boundaries`, the last itemId of each slice), which tells how the stored places are spread
 * over the key range, and the newest sessions, so that listing them costs a list no write of its own.
 */
export function offerLock(table: Table, clock: Clock, pause: Pause = backoff(100, 1_000)) {
  return {
    /**
     * What is stored of the lists before, or, after trying for 5 s, the time until which another request may have the
     * lock.
     */
    acquire: async (offerId: string, sessionId: string): Promise<Acquired> => {
      let busyUntil = 0;
      for (let tries = 1; tries <= maxTries; tries++) {
        const now = clock.now();
        const locked = await updateIf(table, {
          Key: offerLockKey(offerId),
          UpdateExpression: 'SET sessionId = :sessionId, lockedUntil = :until',
          ConditionExpression:
            'attribute_not_exists(lockedUntil) OR lockedUntil <= :now OR sessionId = :sessionId',
          ExpressionAttributeValues: { ':now': now, ':until': now + lockMs, ':sessionId': sessionId },
          ReturnValues: 'ALL_NEW',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        });
        if (locked.applied) return Row.parse(locked.result.Attributes);
        busyUntil = Row.parse(locked.existing).lockedUntil ?? now;
        if (tries < maxTries) await pause(tries);
      }
      return { busyUntil };
    },

    /** `accepted` is given when the list was accepted: its boundaries, and the sessions before it. */
    release: async (offerId: string, sessionId: string, accepted?: Accepted): Promise<void> => {
      await updateIf(table, {
        Key: offerLockKey(offerId),
        UpdateExpression: `${accepted ? 'SET boundaries = :boundaries, sessions = :sessions ' : ''}REMOVE lockedUntil`,
        ConditionExpression: 'sessionId = :sessionId',
        ExpressionAttributeValues: {
          ':sessionId': sessionId,
          ...(accepted
            ? {
                ':boundaries': accepted.boundaries,
                ':sessions': [sessionId, ...accepted.sessions].slice(0, sessionsListed),
              }
            : {}),
        },
      });
    },

    /** The newest sessions of the offer, newest first. */
    sessions: async (offerId: string): Promise<string[]> => {
      const item = await readRow(table, offerLockKey(offerId));
      return item ? Row.parse(item).sessions : [];
    },
  };
}

export type OfferLock = ReturnType<typeof offerLock>;
