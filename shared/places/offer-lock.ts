import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { backoff, type Pause } from '../runtime/backoff.ts';
import type { Clock } from '../runtime/clock.ts';
import { conditional } from '../table/condition.ts';
import { acceptanceGateKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

/** Longer than the function that holds the gate may run (29 s), so nobody sends slices after the gate was lost. */
const heldMs = 40_000;
const maxTries = 12;

const Row = z.object({ boundaries: z._default(z.array(z.string()), []), heldUntil: z.optional(z.number()) });

type Entry = { boundaries: string[] } | { busyUntil: number };

/**
 * Lets one list of an offer in at a time. The queue keeps an offer's messages in the order in which they were
 * sent, but two lists sent side by side would mix, and each place would follow whichever list came last for
 * its own slice. Behind the gate the slices of one session all stand before those of the next.
 *
 * The gate also remembers where the last list was cut (`boundaries`, the last itemId of each slice): that is
 * how the stored places lie in the key range.
 */
export function offerLock(table: Table, clock: Clock, pause: Pause = backoff(100, 1_000)) {
  return {
    /** The last list's boundaries, or until when another list of the offer may keep the gate (it was asked for 5 s). */
    enter: async (offerId: string, sessionId: string): Promise<Entry> => {
      let busyUntil = 0;
      for (let tries = 1; tries <= maxTries; tries++) {
        const now = clock.now();
        const entered = await conditional(
          table.client.send(
            new UpdateCommand({
              TableName: table.name,
              Key: acceptanceGateKey(offerId),
              UpdateExpression: 'SET sessionId = :sessionId, heldUntil = :until',
              ConditionExpression:
                'attribute_not_exists(heldUntil) OR heldUntil <= :now OR sessionId = :sessionId',
              ExpressionAttributeValues: { ':now': now, ':until': now + heldMs, ':sessionId': sessionId },
              ReturnValues: 'ALL_NEW',
              ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
            }),
          ),
        );
        if (entered.held) return { boundaries: Row.parse(entered.done.Attributes).boundaries };
        busyUntil = Row.parse(entered.existing).heldUntil ?? now;
        if (tries < maxTries) await pause(tries);
      }
      return { busyUntil };
    },

    /** Opens the gate for the next list; `boundaries` when this one was accepted. */
    leave: async (offerId: string, sessionId: string, boundaries?: readonly string[]): Promise<void> => {
      await conditional(
        table.client.send(
          new UpdateCommand({
            TableName: table.name,
            Key: acceptanceGateKey(offerId),
            UpdateExpression: `${boundaries ? 'SET boundaries = :boundaries ' : ''}REMOVE heldUntil`,
            ConditionExpression: 'sessionId = :sessionId',
            ExpressionAttributeValues: {
              ':sessionId': sessionId,
              ...(boundaries ? { ':boundaries': boundaries } : {}),
            },
          }),
        ),
      );
    },
  };
}

export type OfferLock = ReturnType<typeof offerLock>;
