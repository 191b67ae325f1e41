import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { FunctionError } from '../functions/function-error.ts';
import type { FunctionPool } from '../functions/function-pool.ts';
import { itemFailures } from '../functions/item-failures.ts';
import type { Polling } from '../poller.ts';
import type { StreamSource } from '../template/service-model.ts';
import type { FailedBatch } from './on-failure.ts';
import type { StreamRecord } from './stream-record.ts';

type BatchHandlerParts = Polling & {
  source: StreamSource;
  pool: Pick<FunctionPool, 'invoke'>;
  retrySpeed: number;
  now: () => number;
  giveUp: (failed: FailedBatch) => Promise<void>;
};

const maxPauseMs = 30_000;

/** Handles records in order until each is done or given up. Rejects only when stopped. */
export function batchHandler(parts: BatchHandlerParts) {
  const { source, pool, signal } = parts;

  /** Returns `undefined` when all is done. Otherwise the records from `from` on have failed. */
  const invoke = async (records: readonly StreamRecord[]) => {
    try {
      const { payload, requestId } = await pool.invoke({ Records: records });
      const numbers = records.map(({ dynamodb }) => dynamodb.SequenceNumber);
      const failures = itemFailures(payload, new Set(numbers));
      // Everything from the first failed record on is delivered again, as in Lambda.
      const from = failures === 'all' ? 0 : numbers.findIndex((number) => failures.has(number));
      return from < 0 ? undefined : { from, requestId, functionError: false };
    } catch (error) {
      signal.throwIfAborted();
      parts.warn(`${records.length} stream records failed: ${error}`);
      const requestId = error instanceof FunctionError ? error.requestId : randomUUID();
      return { from: 0, requestId, functionError: true };
    }
  };

  const isTooOld = ([first]: readonly StreamRecord[]): boolean => {
    if (!first) return false;
    const ageMs = parts.now() - first.dynamodb.ApproximateCreationDateTime * 1000;
    return ageMs > source.maximumRecordAgeSeconds * 1000;
  };

  const handle = async (records: readonly StreamRecord[], failedBefore = 0): Promise<void> => {
    signal.throwIfAborted();
    const failure = await invoke(records);
    if (!failure) return;
    const { from, ...reason } = failure;
    const rest = records.slice(from);
    const invokeCount = failedBefore + 1;
    const failed = { ...reason, records: rest, invokeCount };
    if (isTooOld(rest)) return parts.giveUp({ ...failed, condition: 'RecordAgeExceeded' });
    // After progress the rest counts as a new batch, with its own attempts.
    if (from > 0) return handle(rest);
    if (failure.functionError && rest.length > 1) {
      // Lambda halves what the function failed for, but not the rest that a response names. It does not count as a retry.
      const middle = Math.ceil(rest.length / 2);
      await handle(rest.slice(0, middle), failedBefore);
      return handle(rest.slice(middle), failedBefore);
    }
    if (invokeCount > source.maximumRetryAttempts) {
      return parts.giveUp({ ...failed, condition: 'RetryAttemptsExhausted' });
    }
    const pauseMs = Math.min(maxPauseMs, 500 * 2 ** Math.min(invokeCount, 10)) / parts.retrySpeed;
    await delay(pauseMs, undefined, { signal });
    return handle(rest, invokeCount);
  };
  return handle;
}
