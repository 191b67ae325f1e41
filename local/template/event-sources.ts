import * as z from 'zod/mini';
import { StartUpError } from '../start-up-error.ts';
import { functionNameIn, queueNameIn, readProperties, resourcesOf } from './resolved-resource.ts';
import type { Assembly } from './resource.ts';

interface EventSource {
  /** Logical id of the mapping: names its checkpoint. */
  readonly id: string;
  readonly functionName: string;
  readonly batchSize: number;
  readonly batchingWindowSeconds: number;
  readonly reportsItemFailures: boolean;
  /** Event patterns, as JSON texts. None: every record passes. */
  readonly filters: readonly string[];
}

export interface QueueSource extends EventSource {
  readonly queueArn: string;
  readonly queueName: string;
  readonly maximumConcurrency?: number;
}

export interface StreamSource extends EventSource {
  readonly streamArn: string;
  readonly startingPosition: 'TRIM_HORIZON' | 'LATEST';
  readonly parallelizationFactor: number;
  readonly bisectOnError: boolean;
  /** -1: until the record is too old. */
  readonly maximumRetryAttempts: number;
  /** -1: as long as the stream keeps it. */
  readonly maximumRecordAgeSeconds: number;
  readonly onFailureQueueName?: string;
}

export interface EventSources {
  readonly queues: readonly QueueSource[];
  readonly streams: readonly StreamSource[];
}

const mappingProperties = z.object({
  EventSourceArn: z.string(),
  FunctionName: z.string(),
  Enabled: z._default(z.boolean(), true),
  BatchSize: z.optional(z.number()),
  MaximumBatchingWindowInSeconds: z._default(z.number(), 0),
  FunctionResponseTypes: z._default(z.array(z.literal('ReportBatchItemFailures')), []),
  FilterCriteria: z.optional(z.object({ Filters: z.array(z.object({ Pattern: z.string() })) })),
  ScalingConfig: z.optional(z.object({ MaximumConcurrency: z.optional(z.number()) })),
  StartingPosition: z._default(z.enum(['TRIM_HORIZON', 'LATEST']), 'LATEST'),
  ParallelizationFactor: z._default(z.number(), 1),
  BisectBatchOnFunctionError: z._default(z.boolean(), false),
  MaximumRetryAttempts: z._default(z.number(), -1),
  MaximumRecordAgeInSeconds: z._default(z.number(), -1),
  DestinationConfig: z.optional(z.object({ OnFailure: z.optional(z.object({ Destination: z.string() })) })),
});

type MappingProperties = z.output<typeof mappingProperties>;

function common(id: string, properties: MappingProperties, defaultBatchSize: number): EventSource {
  return {
    id,
    functionName: functionNameIn(properties.FunctionName),
    batchSize: properties.BatchSize ?? defaultBatchSize,
    batchingWindowSeconds: properties.MaximumBatchingWindowInSeconds,
    reportsItemFailures: properties.FunctionResponseTypes.length > 0,
    filters: properties.FilterCriteria?.Filters.map(({ Pattern }) => Pattern) ?? [],
  };
}

function queueSource(id: string, properties: MappingProperties): QueueSource {
  const maximumConcurrency = properties.ScalingConfig?.MaximumConcurrency;
  return {
    ...common(id, properties, 10),
    queueArn: properties.EventSourceArn,
    queueName: queueNameIn(properties.EventSourceArn),
    ...(maximumConcurrency === undefined ? {} : { maximumConcurrency }),
  };
}

function streamSource(id: string, properties: MappingProperties): StreamSource {
  const destination = properties.DestinationConfig?.OnFailure?.Destination;
  if (destination && !destination.includes(':sqs:')) {
    throw new StartUpError(
      `The on-failure destination of ${id} is ${destination}: the local runner knows queues only.`,
    );
  }
  return {
    ...common(id, properties, 100),
    streamArn: properties.EventSourceArn,
    startingPosition: properties.StartingPosition,
    parallelizationFactor: properties.ParallelizationFactor,
    bisectOnError: properties.BisectBatchOnFunctionError,
    maximumRetryAttempts: properties.MaximumRetryAttempts,
    maximumRecordAgeSeconds: properties.MaximumRecordAgeInSeconds,
    ...(destination ? { onFailureQueueName: queueNameIn(destination) } : {}),
  };
}

export function readEventSources(assembly: Assembly): EventSources {
  const queues: QueueSource[] = [];
  const streams: StreamSource[] = [];
  for (const resolved of resourcesOf(assembly, 'AWS::Lambda::EventSourceMapping')) {
    const id = resolved.resource.logicalId;
    const properties = readProperties(mappingProperties, resolved);
    if (!properties.Enabled) continue;
    const service = properties.EventSourceArn.split(':')[2];
    if (service === 'sqs') queues.push(queueSource(id, properties));
    else if (service === 'dynamodb') streams.push(streamSource(id, properties));
    else
      throw new StartUpError(`Event source ${id} reads from "${service}", which the local runner cannot do.`);
  }
  return { queues, streams };
}
