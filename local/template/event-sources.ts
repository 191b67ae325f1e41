import * as z from 'zod/mini';
import type { Assembly, Resource } from './read-assembly.ts';
import { functionNameIn, queueNameIn, readResources } from './read-properties.ts';

export type QueueSource = ReturnType<typeof readQueueSources>[number];
export type StreamSource = ReturnType<typeof readStreamSources>[number];

const queueArn = z.string().check(z.includes(':sqs:', 'must be a queue'));

const common = {
  FunctionName: z.string(),
  FunctionResponseTypes: z.tuple([z.literal('ReportBatchItemFailures')]),
};

const queueSchema = z.strictObject({
  ...common,
  EventSourceArn: queueArn,
  // SQS gives ten messages at a time; more would need a batching window.
  BatchSize: z.number().check(z.maximum(10)),
  ScalingConfig: z.strictObject({ MaximumConcurrency: z.number() }),
});

const streamSchema = z.strictObject({
  ...common,
  EventSourceArn: z.string().check(z.includes(':dynamodb:', 'must be the stream of a table')),
  BatchSize: z.number(),
  StartingPosition: z.literal('TRIM_HORIZON'),
  FilterCriteria: z.strictObject({ Filters: z.array(z.strictObject({ Pattern: z.string() })) }),
  BisectBatchOnFunctionError: z.literal(true),
  MaximumRetryAttempts: z.number().check(z.minimum(0)),
  MaximumRecordAgeInSeconds: z.number().check(z.minimum(0)),
  DestinationConfig: z.strictObject({ OnFailure: z.strictObject({ Destination: queueArn }) }),
});

/** Only a stream has a position to start at. */
function readsStream({ properties }: Resource): boolean {
  return 'StartingPosition' in properties;
}

function commonOf({ logicalId }: Resource, properties: { FunctionName: string; BatchSize: number }) {
  return {
    /** Names its checkpoint. */
    id: logicalId,
    functionName: functionNameIn(properties.FunctionName),
    batchSize: properties.BatchSize,
  };
}

const type = 'AWS::Lambda::EventSourceMapping';

function readQueueSources(assembly: Assembly) {
  const reading = { schema: queueSchema, ignored: [], filter: (found: Resource) => !readsStream(found) };
  return readResources(assembly, type, reading).map(({ resource, properties }) => ({
    ...commonOf(resource, properties),
    queueArn: properties.EventSourceArn,
    queueName: queueNameIn(properties.EventSourceArn),
    maximumConcurrency: properties.ScalingConfig.MaximumConcurrency,
  }));
}

function readStreamSources(assembly: Assembly) {
  const reading = { schema: streamSchema, ignored: [], filter: readsStream };
  return readResources(assembly, type, reading).map(({ resource, properties }) => ({
    ...commonOf(resource, properties),
    streamArn: properties.EventSourceArn,
    /** Event patterns, as JSON texts: a record passes when it matches one. */
    filters: properties.FilterCriteria.Filters.map(({ Pattern }) => Pattern),
    maximumRetryAttempts: properties.MaximumRetryAttempts,
    maximumRecordAgeSeconds: properties.MaximumRecordAgeInSeconds,
    onFailureQueueName: queueNameIn(properties.DestinationConfig.OnFailure.Destination),
  }));
}

export function readEventSources(assembly: Assembly) {
  return { queues: readQueueSources(assembly), streams: readStreamSources(assembly) };
}
