import { arn } from '../template/account.ts';
import type { StreamSource } from '../template/service-model.ts';
import type { StreamRecord } from './stream-record.ts';

export type FailedBatch = {
  records: readonly StreamRecord[];
  condition: 'RetryAttemptsExhausted' | 'RecordAgeExceeded';
  invokeCount: number;
  requestId: string;
  /** True when the function failed as a whole rather than naming items. */
  functionError: boolean;
};

function iso(epochSeconds: number): string {
  return new Date(epochSeconds * 1000).toISOString();
}

/** The message that Lambda sends to an on-failure destination. It says where the records are, and has none of them. */
export function onFailureMessage(failed: FailedBatch, source: StreamSource, shardId: string, nowMs: number) {
  const first = failed.records[0]?.dynamodb;
  const last = failed.records.at(-1)?.dynamodb;
  return {
    requestContext: {
      requestId: failed.requestId,
      functionArn: arn('lambda', `function:${source.functionName}`),
      condition: failed.condition,
      approximateInvokeCount: failed.invokeCount,
    },
    responseContext: {
      statusCode: 200,
      executedVersion: '$LATEST',
      ...(failed.functionError ? { functionError: 'Unhandled' } : {}),
    },
    version: '1.0',
    timestamp: new Date(nowMs).toISOString(),
    DDBStreamBatchInfo: {
      shardId,
      startSequenceNumber: first?.SequenceNumber,
      endSequenceNumber: last?.SequenceNumber,
      approximateArrivalOfFirstRecord: iso(first?.ApproximateCreationDateTime ?? 0),
      approximateArrivalOfLastRecord: iso(last?.ApproximateCreationDateTime ?? 0),
      batchSize: failed.records.length,
      streamArn: source.streamArn,
    },
  };
}
