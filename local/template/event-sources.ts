import * as z from 'zod/mini';
import { functionNameIn, queueNameIn, readResources } from './read-properties.ts';
import type { Assembly, Resource } from './resource.ts';

interface EventSource {
  /** Logical id of the mapping: names its checkpoint. */
  readonly id: string;
  readonly functionName: string;
  readonly batchSize: number;
}

export interface QueueSource extends EventSource {
  readonly queueArn: string;
  readonly queueName: string;
  readonly maximumConcurrency: number;
}

export interface StreamSource extends EventSource {
  readonly streamArn: string;
  /** Event patterns, as JSON texts: a record passes when it matches one. */
  readonly filters: readonly string[];
  readonly maximumRetryAttempts: number;
  readonly maximumRecordAgeSeconds: number;
  readonly onFailureQueueName: string;
}

export interface EventSources {
  readonly queues: readonly QueueSource[];
  readonly streams: readonly StreamSource[];
}

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

function readQueueSources(assembly: Assembly): QueueSource[] {
  const readQueue = (resource: Resource) => !readsStream(resource);
  const reading = { schema: queueSchema, ignored: [], filter: readQueue };
  return readResources(assembly, 'AWS::Lambda::EventSourceMapping', reading).map(
    ({ resource, properties }) => ({
      id: resource.logicalId,
      functionName: functionNameIn(properties.FunctionName),
      batchSize: properties.BatchSize,
      queueArn: properties.EventSourceArn,
      queueName: queueNameIn(properties.EventSourceArn),
      maximumConcurrency: properties.ScalingConfig.MaximumConcurrency,
    }),
  );
}

function readStreamSources(assembly: Assembly): StreamSource[] {
  const reading = { schema: streamSchema, ignored: [], filter: readsStream };
  return readResources(assembly, 'AWS::Lambda::EventSourceMapping', reading).map(
    ({ resource, properties }) => ({
      id: resource.logicalId,
      functionName: functionNameIn(properties.FunctionName),
      batchSize: properties.BatchSize,
      streamArn: properties.EventSourceArn,
      filters: properties.FilterCriteria.Filters.map(({ Pattern }) => Pattern),
      maximumRetryAttempts: properties.MaximumRetryAttempts,
      maximumRecordAgeSeconds: properties.MaximumRecordAgeInSeconds,
      onFailureQueueName: queueNameIn(properties.DestinationConfig.OnFailure.Destination),
    }),
  );
}

export function readEventSources(assembly: Assembly): EventSources {
  return { queues: readQueueSources(assembly), streams: readStreamSources(assembly) };
}
