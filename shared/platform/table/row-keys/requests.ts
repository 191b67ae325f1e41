import { alone, type RowKey } from './row-key.ts';

export function idempotencyKey(caller: string, operation: string, key: string): RowKey {
  return alone(`IDEM#${caller}#${operation}#${key}`);
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
