import { epochSeconds, minutes } from '../../platform/runtime/clock.ts';
import { updateIf } from '../../platform/table/condition.ts';
import { callbackTestsKey } from '../../platform/table/keys.ts';
import type { Table } from '../../platform/table/table.ts';

/** Who may set an address can aim us at somebody: a partner tests its endpoint so often in a minute, and no more. */
export const testsPerMinute = 10;

export function callbackTests(table: Table) {
  return {
    /** Counts one more, or returns in how many seconds the next is possible. */
    count: async (partnerId: string, nowMs: number): Promise<{ retryAfterSeconds: number } | undefined> => {
      const minute = Math.floor(nowMs / minutes(1));
      const counted = await updateIf(table, {
        Key: callbackTestsKey(partnerId, minute),
        UpdateExpression: 'ADD made :one SET expiresAt = :expiresAt',
        ConditionExpression: 'attribute_not_exists(made) OR made < :most',
        ExpressionAttributeValues: {
          ':one': 1,
          ':most': testsPerMinute,
          ':expiresAt': epochSeconds(nowMs + minutes(2)),
        },
      });
      if (counted.applied) return undefined;
      return { retryAfterSeconds: Math.ceil(((minute + 1) * minutes(1) - nowMs) / 1_000) };
    },
  };
}

export type CallbackTests = ReturnType<typeof callbackTests>;
