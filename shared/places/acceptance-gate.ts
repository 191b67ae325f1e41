import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { backoff, type Pause } from '../runtime/backoff.ts';
import { type Clock, epochSeconds } from '../runtime/clock.ts';
import { conditional } from '../table/condition.ts';
import { acceptanceGateKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

/** Longer than the function that holds the gate may run (29 s), so nobody sends slices after the gate was lost. */
const heldMs = 40_000;
const maxTries = 12;

/**
 * Lets one list of an offer in at a time. The queue keeps an offer's messages in the order in which they were
 * sent, but two lists sent side by side would mix, and each place would follow whichever list came last for
 * its own slice. Behind the gate the slices of one session all stand before those of the next.
 */
export const acceptanceGate = (table: Table, clock: Clock, pause: Pause = backoff(100, 1_000)) => ({
  /** False when other lists of this offer kept the gate for about 5 s. */
  enter: async (offerId: string, sessionId: string): Promise<boolean> => {
    for (let tries = 1; tries <= maxTries; tries++) {
      const now = clock.now();
      const entered = await conditional(
        table.client.send(
          new PutCommand({
            TableName: table.name,
            Item: {
              ...acceptanceGateKey(offerId),
              sessionId,
              heldUntil: now + heldMs,
              expiresAt: epochSeconds(now + heldMs),
            },
            ConditionExpression: 'attribute_not_exists(pk) OR heldUntil <= :now OR sessionId = :sessionId',
            ExpressionAttributeValues: { ':now': now, ':sessionId': sessionId },
          }),
        ),
      );
      if (entered.held) return true;
      await pause(tries);
    }
    return false;
  },

  leave: async (offerId: string, sessionId: string): Promise<void> => {
    await conditional(
      table.client.send(
        new DeleteCommand({
          TableName: table.name,
          Key: acceptanceGateKey(offerId),
          ConditionExpression: 'sessionId = :sessionId',
          ExpressionAttributeValues: { ':sessionId': sessionId },
        }),
      ),
    );
  },
});

export type AcceptanceGate = ReturnType<typeof acceptanceGate>;
