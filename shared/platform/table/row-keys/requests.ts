import { alone, type RowKey } from './row-key.ts';

type KeyedRequest = { callerId: string; operation: string; key: string };

export function idempotencyKey({ callerId, operation, key }: KeyedRequest): RowKey {
  return alone(`IDEM#${callerId}#${operation}#${key}`);
}

/** A kept response that is too large for the row of its Idempotency-Key, which is alone under the same `pk` with `-`. */
export function keptResponseKey({ pk }: RowKey, requestId: string): RowKey {
  return { pk, sk: `RESPONSE#${requestId}` };
}

export function requestsKey(partnerId: string, budget: string, window: number): RowKey {
  return alone(`REQUESTS#${partnerId}#${budget}#${window}`);
}

export function limitedUseKey(
  use: 'CALLBACKTESTS' | 'EXAMINATIONS' | 'REPLAYS' | 'REPORTS',
  partnerId: string,
  window: number,
): RowKey {
  return alone(`${use}#${partnerId}#${window}`);
}
