import { IdempotentParameterMismatchException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { systemIds } from '../runtime/ids.ts';
import { isThrottling, repeated } from '../runtime/time-left.ts';
import type { RowKey } from './row-keys/row-key.ts';
import { returned } from './rows.ts';
import type { Table } from './table.ts';

export type TransactItems = NonNullable<TransactWriteCommandInput['TransactItems']>;
type Update = NonNullable<TransactItems[number]['Update']>;

/**
 * `at` is the first write whose condition failed, counted from 0; `existing` its row. It is -1 when a transaction of other
 * writes was given the same token.
 */
export type Transacted =
  | { applied: true }
  | { applied: false; at: number; existing?: Record<string, unknown> };

/** Writes a row that must not exist yet. */
export function putNew({ name }: Table, Item: Record<string, unknown>) {
  return { Put: { TableName: name, Item, ConditionExpression: 'attribute_not_exists(pk)', ...returned } };
}

/** Changes a row under a condition. */
export function changeRow({ name }: Table, Key: RowKey, change: Omit<Update, 'TableName' | 'Key'>) {
  return { Update: { TableName: name, Key, ...returned, ...change } };
}

/** Reasons that may be gone in a moment. The client repeats only single writes for them (`table.ts`). */
const temporary = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

/**
 * Writes every row or none. A failed condition is a value; while another transaction changes one of the rows, or the
 * table takes no more, it waits and repeats. Of transactions with one `token` (36 characters at most) the table applies
 * one in ten minutes, also if it comes late. Without one, a repetition has the token of a transaction that may still be
 * in progress, so that the table does not write twice.
 */
export async function transactional(
  table: Table,
  writes: TransactItems,
  token?: string,
): Promise<Transacted> {
  let failure: unknown;
  let ownToken = systemIds.uuid();
  const transacted = await repeated<Transacted>(async () => {
    try {
      const ClientRequestToken = token ?? ownToken;
      await table.client.send(new TransactWriteCommand({ TransactItems: writes, ClientRequestToken }));
      return { applied: true };
    } catch (error) {
      failure = error;
      if (error instanceof IdempotentParameterMismatchException) return { applied: false, at: -1 };
      if (!(error instanceof TransactionCanceledException)) {
        if (isThrottling(error)) return undefined;
        throw error;
      }
      const reasons = error.CancellationReasons ?? [];
      const at = reasons.findIndex(({ Code }) => Code === 'ConditionalCheckFailed');
      const existing = reasons[at]?.Item;
      if (at >= 0) return { applied: false, at, ...(existing ? { existing: unmarshall(existing) } : {}) };
      if (!reasons.some(({ Code = '' }) => temporary.has(Code))) throw error;
      // It was cancelled, so nothing was written.
      ownToken = systemIds.uuid();
      return undefined;
    }
  });
  if (transacted === undefined) throw failure;
  return transacted;
}
