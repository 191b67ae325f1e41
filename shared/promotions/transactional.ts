import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Pause } from '../runtime/backoff.ts';
import type { Conditional } from '../table/condition.ts';
import type { Table } from '../table/table.ts';

export type TransactItems = NonNullable<TransactWriteCommandInput['TransactItems']>;

const maxTries = 8;

/** These pass by themselves; unlike those of single writes, the SDK does not repeat them. */
const passing = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

/**
 * Writes every row or none. The refusal of a condition is a value (`existing`: the row that stood there);
 * another transaction at the same row is waited out. When the SDK repeats a call whose answer was lost it sends
 * the same token, and the table does not write twice.
 */
export const transactional = async (
  table: Table,
  writes: TransactItems,
  pause: Pause,
): Promise<Conditional<void>> => {
  for (let tries = 1; ; tries++) {
    try {
      await table.client.send(new TransactWriteCommand({ TransactItems: writes }));
      return { held: true, done: undefined };
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error;
      const reasons = error.CancellationReasons ?? [];
      const refusal = reasons.find(({ Code }) => Code === 'ConditionalCheckFailed');
      if (refusal) return { held: false, ...(refusal.Item ? { existing: unmarshall(refusal.Item) } : {}) };
      if (tries === maxTries || !reasons.some(({ Code = '' }) => passing.has(Code))) throw error;
      await pause(tries);
    }
  }
};
