import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Pause } from '../runtime/backoff.ts';
import type { Table } from './table.ts';

export type TransactItems = NonNullable<TransactWriteCommandInput['TransactItems']>;

/** `at` is the first write whose condition did not hold, counted from 0; `existing` the row that stood there. */
export type Transacted = { held: true } | { held: false; at: number; existing?: Record<string, unknown> };

const maxTries = 8;

/** These pass by themselves; unlike those of single writes, the SDK does not repeat them. */
const passing = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

/**
 * Writes every row or none. The refusal of a condition is a value; another transaction at the same row is
 * waited out. When the SDK repeats a call whose answer was lost it sends the same token, and the table does not
 * write twice.
 */
export async function transactional(table: Table, writes: TransactItems, pause: Pause): Promise<Transacted> {
  for (let tries = 1; ; tries++) {
    try {
      await table.client.send(new TransactWriteCommand({ TransactItems: writes }));
      return { held: true };
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error;
      const reasons = error.CancellationReasons ?? [];
      const at = reasons.findIndex(({ Code }) => Code === 'ConditionalCheckFailed');
      const existing = reasons[at]?.Item;
      if (at >= 0) return { held: false, at, ...(existing ? { existing: unmarshall(existing) } : {}) };
      if (tries === maxTries || !reasons.some(({ Code = '' }) => passing.has(Code))) throw error;
      await pause(tries);
    }
  }
}
