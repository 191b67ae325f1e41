import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { FunctionError } from '../functions/function-error.ts';
import type { FunctionPool } from '../functions/function-pool.ts';
import { itemFailures } from '../functions/item-failures.ts';
import type { StreamSource } from '../template/event-sources.ts';
import type { StreamRecord } from './stream-record.ts';

export interface FailedBatch {
  readonly records: readonly StreamRecord[];
  readonly condition: 'RetryAttemptsExhausted' | 'RecordAgeExceeded';
  readonly invokeCount: number;
  readonly requestId: string;
  /** Present when the function failed as a whole rather than naming items. */
  readonly functionError: boolean;
}

export interface BatchHandlerParts {
  readonly source: StreamSource;
  readonly pool: FunctionPool;
  readonly retrySpeed: number;
  readonly signal: AbortSignal;
  readonly now: () => number;
  readonly giveUp: (failed: FailedBatch) => Promise<void>;
  readonly warn: (line: string) => void;
}

const maxPauseMs = 30_000;

type Outcome =
  | { readonly kind: 'done' }
  /** Everything before `from` is done. */
  | {
      readonly kind: 'failed';
      readonly from: number;
      readonly requestId: string;
      readonly functionError: boolean;
    };

/** Handles records of one lane until each is done or given up, in order. Rejects only when stopped. */
export function createBatchHandler(parts: BatchHandlerParts) {
  const { source, pool, signal } = parts;

  const invoke = async (records: readonly StreamRecord[]): Promise<Outcome> => {
    try {
      const { payload, requestId } = await pool.invoke({ Records: records });
      if (!source.reportsItemFailures) return { kind: 'done' };
      const numbers = records.map(({ dynamodb }) => dynamodb.SequenceNumber);
      const failures = itemFailures(payload, new Set(numbers));
      // The lowest failed record counts: everything from there on is given again.
      const from = failures === 'all' ? 0 : numbers.findIndex((number) => failures.has(number));
      return from < 0 ? { kind: 'done' } : { kind: 'failed', from, requestId, functionError: false };
    } catch (error) {
      signal.throwIfAborted();
      parts.warn(`${records.length} stream records failed: ${error}`);
      const requestId = error instanceof FunctionError ? error.requestId : randomUUID();
      return { kind: 'failed', from: 0, requestId, functionError: true };
    }
  };

  const tooOld = ([first]: readonly StreamRecord[]): boolean => {
    if (source.maximumRecordAgeSeconds < 0 || !first) return false;
    const ageMs = parts.now() - first.dynamodb.ApproximateCreationDateTime * 1000;
    return ageMs > source.maximumRecordAgeSeconds * 1000;
  };

  const handle = async (records: readonly StreamRecord[], failedBefore = 0): Promise<void> => {
    signal.throwIfAborted();
    const outcome = await invoke(records);
    if (outcome.kind === 'done') return;
    const rest = records.slice(outcome.from);
    // Progress begins a new batch, with attempts of its own.
    const failed = outcome.from > 0 ? 1 : failedBefore + 1;
    const { requestId, functionError } = outcome;
    const ended = { records: rest, invokeCount: failed, requestId, functionError };
    if (tooOld(rest)) return parts.giveUp({ ...ended, condition: 'RecordAgeExceeded' });
    if (source.bisectOnError && rest.length > 1) {
      // Halving does not count as a retry.
      const middle = Math.ceil(rest.length / 2);
      await handle(rest.slice(0, middle), failed - 1);
      return handle(rest.slice(middle), failed - 1);
    }
    if (source.maximumRetryAttempts >= 0 && failed > source.maximumRetryAttempts) {
      return parts.giveUp({ ...ended, condition: 'RetryAttemptsExhausted' });
    }
    const pauseMs = Math.min(maxPauseMs, 500 * 2 ** Math.min(failed, 10)) / parts.retrySpeed;
    await delay(pauseMs, undefined, { signal });
    return handle(rest, failed);
  };
  return handle;
}
