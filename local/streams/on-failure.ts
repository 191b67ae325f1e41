import { queueUrl } from '../engines/create-queues.ts';
import type { Call } from '../engines/json-call.ts';
import { arn } from '../template/account.ts';
import type { StreamSource } from '../template/event-sources.ts';
import type { FailedBatch } from './handle-batch.ts';

interface OnFailureParts {
  readonly source: StreamSource;
  readonly sqs: Call;
  readonly sqsEndpoint: string;
  readonly shardId: () => string;
  readonly now: () => number;
}

function iso(epochSeconds: number): string {
  return new Date(epochSeconds * 1000).toISOString();
}

/** What Lambda tells an on-failure destination: where the records are, never the records themselves. */
function describe(failed: FailedBatch, { source, shardId, now }: OnFailureParts) {
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
    timestamp: new Date(now()).toISOString(),
    DDBStreamBatchInfo: {
      shardId: shardId(),
      startSequenceNumber: first?.SequenceNumber,
      endSequenceNumber: last?.SequenceNumber,
      approximateArrivalOfFirstRecord: iso(first?.ApproximateCreationDateTime ?? 0),
      approximateArrivalOfLastRecord: iso(last?.ApproximateCreationDateTime ?? 0),
      batchSize: failed.records.length,
      streamArn: source.streamArn,
    },
  };
}

/** Sends what was given up to the mapping's on-failure queue, if it has one. */
export function createGiveUp(parts: OnFailureParts) {
  return async (failed: FailedBatch): Promise<void> => {
    const name = parts.source.onFailureQueueName;
    if (!name) return;
    await parts.sqs('SendMessage', {
      QueueUrl: queueUrl(parts.sqsEndpoint, name),
      MessageBody: JSON.stringify(describe(failed, parts)),
    });
  };
}
