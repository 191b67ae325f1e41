import * as z from 'zod/mini';
import { functionNameIn, queueNameIn, readResources } from './read-properties.ts';
import type { Assembly, Resource } from './resource.ts';

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

type CommonProperties = { FunctionName: string; BatchSize: number };

/** Only a stream has a position to start at. */
function readsStream({ properties }: Resource): boolean {
  return 'StartingPosition' in properties;
}

function sourcesOf<Schema extends z.ZodMiniType<CommonProperties>>(
  assembly: Assembly,
  schema: Schema,
  filter: (resource: Resource) => boolean,
) {
  const reading = { schema, ignored: [], filter };
  return readResources(assembly, 'AWS::Lambda::EventSourceMapping', reading).map(
    ({ resource, properties }) => ({
      properties,
      source: {
        /** Names its checkpoint. */
        id: resource.logicalId,
        functionName: functionNameIn(properties.FunctionName),
        batchSize: properties.BatchSize,
      },
    }),
  );
}

function readQueueSources(assembly: Assembly) {
  return sourcesOf(assembly, queueSchema, (resource) => !readsStream(resource)).map(
    ({ source, properties }) => ({
      ...source,
      queueArn: properties.EventSourceArn,
      queueName: queueNameIn(properties.EventSourceArn),
      maximumConcurrency: properties.ScalingConfig.MaximumConcurrency,
    }),
  );
}

function readStreamSources(assembly: Assembly) {
  return sourcesOf(assembly, streamSchema, readsStream).map(({ source, properties }) => ({
    ...source,
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
