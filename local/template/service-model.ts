import { join } from 'node:path';
import * as z from 'zod/mini';
import { failure, usageError } from '../../ops/cli/command-line.ts';
import { arn } from './account.ts';
import {
  type Assembly,
  findResources,
  functionNameIn,
  readAssembly,
  streamArn,
  tableName,
} from './assembly.ts';

export type ServiceModel = ReturnType<typeof readServiceModel>;
export type FunctionModel = ServiceModel['functions'][number];
export type QueueModel = ServiceModel['queues'][number];
export type TableModel = ServiceModel['tables'][number];
export type ApiModel = ServiceModel['api'];
export type RouteModel = ApiModel['routes'][number];
export type QueueSource = ServiceModel['eventSources']['queues'][number];
export type StreamSource = ServiceModel['eventSources']['streams'][number];
export type ScheduleModel = ServiceModel['schedules'][number];

/**
 * Reads from the assembly in `folder` all that the runner acts on. A test ensures that the templates have nothing else
 * that would make a difference.
 */
export function readServiceModel(folder: string) {
  const assembly = readAssembly(folder);
  return {
    functions: readFunctions(assembly),
    queues: readQueues(assembly),
    tables: readTables(assembly),
    api: readApi(assembly),
    eventSources: readEventSources(assembly),
    schedules: readSchedules(assembly),
  };
}

/**
 * Returns `value`, a model or a part of it, with `prefix` before the name of every table and queue, so that services
 * that share an engine do not share those.
 */
export function prefixNames<Value>(value: Value, { tables, queues }: ServiceModel, prefix: string): Value {
  const names = [...tables, ...queues].map(({ name }) => name);
  return JSON.parse(JSON.stringify(value).replace(new RegExp(names.join('|'), 'g'), `${prefix}$&`));
}

/** Finds a function by its id in the template. */
export function functionNamed(name: string, { functions }: ServiceModel): FunctionModel {
  const found = functions.find(({ logicalId }) => logicalId === name);
  if (found) return found;
  const names = functions.map(({ logicalId }) => logicalId).sort();
  throw usageError(`There is no function "${name}": choose one of ${names.join(', ')}.`);
}

function queueNameIn(queueArn: string): string {
  return queueArn.split(':').at(-1) ?? queueArn;
}

const FunctionProperties = z.object({
  FunctionName: z.string(),
  Handler: z.string(),
  Timeout: z.number(),
  MemorySize: z.number(),
  ReservedConcurrentExecutions: z.optional(z.number()),
  Environment: z.object({ Variables: z.record(z.string(), z.string()) }),
});

function readFunctions(assembly: Assembly) {
  const found = findResources(assembly, 'AWS::Lambda::Function', FunctionProperties);
  return found.map(({ resource: { logicalId, metadata }, properties }) => ({
    name: properties.FunctionName,
    logicalId,
    /** `index.handler` */
    handler: properties.Handler,
    /** CDK writes the asset's folder, relative to the assembly, beside the resource. */
    codeFolder: join(assembly.folder, String(metadata['aws:asset:path'])),
    environment: properties.Environment.Variables,
    timeoutSeconds: properties.Timeout,
    memoryMb: properties.MemorySize,
    reservedConcurrency: properties.ReservedConcurrentExecutions,
  }));
}

const QueueProperties = z.object({
  QueueName: z.string(),
  FifoQueue: z.optional(z.literal(true)),
  DeduplicationScope: z.optional(z.string()),
  FifoThroughputLimit: z.optional(z.string()),
  MessageRetentionPeriod: z.optional(z.number()),
  VisibilityTimeout: z._default(z.number(), 30),
  RedrivePolicy: z.optional(z.object({ deadLetterTargetArn: z.string(), maxReceiveCount: z.number() })),
});

function readQueues(assembly: Assembly) {
  return findResources(assembly, 'AWS::SQS::Queue', QueueProperties).map(({ properties }) => {
    const { QueueName: name, ...attributes } = properties;
    const texts = Object.entries(attributes).map(([attribute, value]) => [
      attribute,
      typeof value === 'object' ? JSON.stringify(value) : String(value),
    ]);
    return {
      name,
      visibilityTimeoutSeconds: properties.VisibilityTimeout,
      /** The attributes for `CreateQueue`, which takes all values as texts. */
      attributes: Object.fromEntries(texts) as Record<string, string>,
    };
  });
}

/**
 * The name people use, without the part that tells stages apart in one account:
 * `partner-integration-dev-places-sync.fifo` -> `places-sync.fifo`.
 */
export function readableQueueName({ name }: Pick<QueueModel, 'name'>): string {
  return name.replace(/^(?:.*-)?(?:dev|sandbox|staging|prod)-/, '');
}

const TableProperties = z.object({
  AttributeDefinitions: z.array(z.unknown()),
  KeySchema: z.array(z.unknown()),
  GlobalSecondaryIndexes: z.optional(z.array(z.record(z.string(), z.unknown()))),
  BillingMode: z.string(),
  StreamSpecification: z.object({ StreamViewType: z.string() }),
  TimeToLiveSpecification: z.object({ AttributeName: z.string() }),
});

function readTables(assembly: Assembly) {
  return findResources(assembly, 'AWS::DynamoDB::Table', TableProperties).map(({ resource, properties }) => {
    const { StreamSpecification, TimeToLiveSpecification, ...definition } = properties;
    return {
      name: tableName(resource),
      streamArn: streamArn(resource),
      streamViewType: StreamSpecification.StreamViewType,
      timeToLiveAttribute: TimeToLiveSpecification.AttributeName,
      /** The members of `CreateTable` that are the same in the template. */
      definition,
    };
  });
}

const AuthorizerProperties = z.object({
  AuthorizerUri: z.string(),
  IdentitySource: z.array(z.string()),
  AuthorizerResultTtlInSeconds: z.number(),
});
const IntegrationProperties = z.object({ IntegrationUri: z.string() });
const RouteProperties = z.object({
  RouteKey: z.string(),
  Target: z.string(),
  AuthorizationType: z.enum(['NONE', 'AWS_IAM', 'CUSTOM']),
  AuthorizerId: z.optional(z.string()),
});

function readApi(assembly: Assembly) {
  const authorizers = findResources(assembly, 'AWS::ApiGatewayV2::Authorizer', AuthorizerProperties).map(
    ({ resource, properties }) => ({
      id: resource.logicalId,
      functionName: functionNameIn(properties.AuthorizerUri),
      /** The headers that identify a caller, in lower case. */
      identityHeaders: properties.IdentitySource.map((source) =>
        source.replace('$request.header.', '').toLowerCase(),
      ),
      cacheSeconds: properties.AuthorizerResultTtlInSeconds,
    }),
  );
  const integrations = findResources(assembly, 'AWS::ApiGatewayV2::Integration', IntegrationProperties);
  const routes = findResources(assembly, 'AWS::ApiGatewayV2::Route', RouteProperties);
  return {
    routes: routes.map(({ properties: { RouteKey: key, Target, AuthorizationType, AuthorizerId } }) => {
      const integration = integrations.find(({ resource }) => Target.endsWith(`/${resource.logicalId}`));
      if (!integration) throw failure(`Route ${key} has no integration.`);
      const functionName = functionNameIn(integration.properties.IntegrationUri);
      /** The local gateway does not check `iam`. */
      const open = AuthorizationType === 'AWS_IAM' ? ('iam' as const) : ('none' as const);
      const authorizer = authorizers.find(({ id }) => id === AuthorizerId);
      if (AuthorizationType === 'CUSTOM' && !authorizer) throw failure(`Route ${key} names no authorizer.`);
      return { key, functionName, authorizer: authorizer ?? open };
    }),
  };
}

const MappingProperties = z.object({
  FunctionName: z.string(),
  EventSourceArn: z.string(),
  BatchSize: z.number(),
  ScalingConfig: z._default(z.object({ MaximumConcurrency: z.number() }), { MaximumConcurrency: 0 }),
  FilterCriteria: z._default(z.object({ Filters: z.array(z.object({ Pattern: z.string() })) }), {
    Filters: [],
  }),
  MaximumRetryAttempts: z._default(z.number(), 0),
  MaximumRecordAgeInSeconds: z._default(z.number(), 0),
  DestinationConfig: z.optional(z.object({ OnFailure: z.object({ Destination: z.string() }) })),
});

function readEventSources(assembly: Assembly) {
  const found = findResources(assembly, 'AWS::Lambda::EventSourceMapping', MappingProperties);
  const mappings = found.map(({ resource, properties }) => {
    /** `id` is also the name of the checkpoint. */
    const { FunctionName, BatchSize: batchSize } = properties;
    return { id: resource.logicalId, functionName: functionNameIn(FunctionName), batchSize, properties };
  });
  const of = (service: string) =>
    mappings.filter(({ properties }) => properties.EventSourceArn.includes(`:${service}:`));
  return {
    queues: of('sqs').map(({ properties: { EventSourceArn, ScalingConfig }, ...mapping }) => ({
      ...mapping,
      queueArn: EventSourceArn,
      queueName: queueNameIn(EventSourceArn),
      maximumConcurrency: ScalingConfig.MaximumConcurrency,
    })),
    streams: of('dynamodb').map(({ properties, ...mapping }) => ({
      ...mapping,
      streamArn: properties.EventSourceArn,
      /** Event patterns, as JSON texts: a record passes when it matches one. */
      filters: properties.FilterCriteria.Filters.map(({ Pattern }) => Pattern),
      maximumRetryAttempts: properties.MaximumRetryAttempts,
      maximumRecordAgeSeconds: properties.MaximumRecordAgeInSeconds,
      onFailureQueueName: queueNameIn(properties.DestinationConfig?.OnFailure.Destination ?? ''),
    })),
  };
}

const RuleProperties = z.object({
  ScheduleExpression: z.string(),
  Targets: z.array(z.object({ Arn: z.string() })),
});
const unitMs: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** `rate(5 minutes)` -> 300,000 */
function intervalMs(expression: string): number {
  const [, count, unit = ''] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  const ms = unitMs[unit];
  if (ms !== undefined) return Number(count) * ms;
  throw failure(`The local runner does not support the schedule ${expression}.`);
}

function readSchedules(assembly: Assembly) {
  return findResources(assembly, 'AWS::Events::Rule', RuleProperties).flatMap(
    ({ resource: { logicalId }, properties: { ScheduleExpression, Targets } }) =>
      Targets.map(({ Arn }) => ({
        id: logicalId,
        everyMs: intervalMs(ScheduleExpression),
        functionName: functionNameIn(Arn),
        ruleArn: arn('events', `rule/${logicalId}`),
      })),
  );
}
