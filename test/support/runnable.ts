import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { readAssembly, resolveIntrinsics } from '../../local/template/assembly.ts';
import { readServiceModel } from '../../local/template/service-model.ts';
import { parse } from '../../shared/platform/validation/format-issues.ts';

/** The properties of a type that the local runner acts on, and those that make no difference to it. */
type Known = { schema: z.ZodMiniType; ignored?: readonly string[] };

const queueArn = z.string().check(z.includes(':sqs:', 'must be a queue'));
const header = z.string().check(z.startsWith('$request.header.', 'must be a header'));
const segment = String.raw`/(?:[^/{}+]+|\{\w+\})`;
const rest = String.raw`/\{\w+\+\}`;
const routeKey = z.regex(
  new RegExp(`^(?:\\$default|(?:GET|HEAD|PUT|POST|DELETE|PATCH) (?:/|(?:${segment})+(?:${rest})?))$`),
  { error: 'must be a method and a path of names and {variables}, or $default' },
);
const route = { RouteKey: z.string().check(routeKey), Target: z.string() };
const mapping = {
  FunctionName: z.string(),
  FunctionResponseTypes: z.tuple([z.literal('ReportBatchItemFailures')]),
};

const queueMapping = z.strictObject({
  ...mapping,
  EventSourceArn: queueArn,
  // SQS returns at most ten messages per receive. A larger batch would need a batching window.
  BatchSize: z.number().check(z.maximum(10)),
  ScalingConfig: z.strictObject({ MaximumConcurrency: z.number() }),
});

const streamMapping = z.strictObject({
  ...mapping,
  EventSourceArn: z.string().check(z.includes(':dynamodb:', 'must be the stream of a table')),
  BatchSize: z.number(),
  StartingPosition: z.literal('TRIM_HORIZON'),
  FilterCriteria: z.strictObject({ Filters: z.array(z.strictObject({ Pattern: z.string() })) }),
  // The local runner processes one batch at a time, which is an order that several at once may have, too.
  ParallelizationFactor: z.optional(z.number()),
  BisectBatchOnFunctionError: z.literal(true),
  MaximumRetryAttempts: z.number().check(z.minimum(0)),
  MaximumRecordAgeInSeconds: z.number().check(z.minimum(0)),
  DestinationConfig: z.strictObject({ OnFailure: z.strictObject({ Destination: queueArn }) }),
});

const known: Readonly<Record<string, Known>> = {
  'AWS::ApiGatewayV2::Api': {
    schema: z.strictObject({ ProtocolType: z.literal('HTTP') }),
    ignored: ['DisableExecuteApiEndpoint', 'Name'],
  },
  'AWS::ApiGatewayV2::Stage': {
    schema: z.strictObject({ StageName: z.literal('$default') }),
    ignored: ['AccessLogSettings', 'ApiId', 'AutoDeploy', 'DefaultRouteSettings', 'RouteSettings'],
  },
  'AWS::ApiGatewayV2::Authorizer': {
    schema: z.strictObject({
      AuthorizerType: z.literal('REQUEST'),
      AuthorizerUri: z.string(),
      AuthorizerPayloadFormatVersion: z.literal('2.0'),
      EnableSimpleResponses: z.literal(true),
      IdentitySource: z.array(header),
      AuthorizerResultTtlInSeconds: z.number(),
    }),
    ignored: ['ApiId', 'Name'],
  },
  'AWS::ApiGatewayV2::Integration': {
    schema: z.strictObject({
      IntegrationType: z.literal('AWS_PROXY'),
      IntegrationUri: z.string(),
      PayloadFormatVersion: z.literal('2.0'),
    }),
    ignored: ['ApiId'],
  },
  'AWS::ApiGatewayV2::Route': {
    schema: z.discriminatedUnion(
      'AuthorizationType',
      [
        z.strictObject({ ...route, AuthorizationType: z.literal('NONE') }),
        z.strictObject({ ...route, AuthorizationType: z.literal('AWS_IAM') }),
        z.strictObject({ ...route, AuthorizationType: z.literal('CUSTOM'), AuthorizerId: z.string() }),
      ],
      'must be NONE, AWS_IAM or CUSTOM',
    ),
    ignored: ['ApiId'],
  },
  'AWS::DynamoDB::Table': {
    schema: z.strictObject({
      AttributeDefinitions: z.array(z.unknown()),
      KeySchema: z.array(z.unknown()),
      GlobalSecondaryIndexes: z.optional(z.array(z.record(z.string(), z.unknown()))),
      BillingMode: z.literal('PAY_PER_REQUEST'),
      StreamSpecification: z.strictObject({ StreamViewType: z.string() }),
      TimeToLiveSpecification: z.strictObject({ AttributeName: z.string(), Enabled: z.literal(true) }),
    }),
    ignored: ['DeletionProtectionEnabled', 'PointInTimeRecoverySpecification', 'SSESpecification'],
  },
  'AWS::Events::Rule': {
    schema: z.strictObject({
      ScheduleExpression: z.string(),
      State: z.literal('ENABLED'),
      Targets: z.array(
        z.strictObject({
          Id: z.string(),
          Arn: z.string().check(z.includes(':lambda:')),
          // Nothing throttles functions in the local service, so no event waits until it is too old.
          RetryPolicy: z.strictObject({
            MaximumRetryAttempts: z.literal(0),
            MaximumEventAgeInSeconds: z.optional(z.number()),
          }),
        }),
      ),
    }),
  },
  'AWS::Lambda::Function': {
    schema: z.strictObject({
      FunctionName: z.string(),
      Runtime: z.literal('nodejs24.x'),
      Handler: z.string(),
      Timeout: z.number(),
      MemorySize: z.number(),
      ReservedConcurrentExecutions: z.optional(z.number()),
      Environment: z.strictObject({ Variables: z.record(z.string(), z.string()) }),
    }),
    // These set the processor, the permissions and the output in AWS.
    ignored: ['Architectures', 'Code', 'LoggingConfig', 'RecursiveLoop', 'Role', 'TracingConfig'],
  },
  'AWS::SQS::Queue': {
    schema: z.strictObject({
      QueueName: z.string(),
      FifoQueue: z.optional(z.literal(true)),
      DeduplicationScope: z.optional(z.string()),
      FifoThroughputLimit: z.optional(z.string()),
      MessageRetentionPeriod: z.optional(z.number()),
      VisibilityTimeout: z.optional(z.number()),
      RedrivePolicy: z.optional(
        z.strictObject({ deadLetterTargetArn: z.string(), maxReceiveCount: z.number() }),
      ),
    }),
  },
};

/** Types that only permit, observe or deploy in AWS. The service behaves the same without them. */
const notRun = /^AWS::(?:Backup|Budgets|CloudWatch|CodeDeploy|IAM|KMS|Logs|SNS)::/;
const notRunEither = [
  'AWS::ApiGatewayV2::ApiMapping',
  'AWS::ApiGatewayV2::DomainName',
  // The local service runs only the latest code of a function.
  'AWS::Lambda::Alias',
  'AWS::Lambda::EventInvokeConfig',
  'AWS::Lambda::Permission',
  'AWS::Lambda::Version',
  'AWS::SQS::QueuePolicy',
];

/** Parameters have their defaults in the local service; `Rules` are about the deployment. */
const sections = ['Conditions', 'Description', 'Outputs', 'Parameters', 'Resources', 'Rules'];
const members = [
  'Condition',
  'DeletionPolicy',
  'DependsOn',
  'Metadata',
  'Properties',
  'Type',
  'UpdatePolicy',
  'UpdateReplacePolicy',
];

/** A rule for events of AWS sends notices to operators. One with a schedule is run. */
function isNotRun(type: string, properties: object): boolean {
  const forEvents = type === 'AWS::Events::Rule' && 'EventPattern' in properties;
  return forEvents || notRun.test(type) || notRunEither.includes(type);
}

function knownOf(type: string, properties: object): Known | undefined {
  if (isNotRun(type, properties)) return undefined;
  if (type !== 'AWS::Lambda::EventSourceMapping') return known[type];
  return { schema: 'StartingPosition' in properties ? streamMapping : queueMapping };
}

/** The gateway does not wait longer than this for a function. */
const gatewayTimeoutSeconds = 30;

/** Returns a sentence for each part of a folder's templates that the local runner would not run as AWS does. */
export function notRunnable(folder: string): string[] {
  const assembly = readAssembly(folder);
  const inStacks = assembly.stacks.flatMap((stack) => {
    const file = join(folder, `${stack.name}.template.json`);
    const template: Record<string, Record<string, object>> = JSON.parse(readFileSync(file, 'utf8'));
    const ofTemplate = Object.keys(template)
      .filter((section) => !sections.includes(section))
      .map((section) => `stack ${stack.name}: section ${section}`);
    const ofResources = stack.resources.flatMap(({ logicalId, type, properties }) => {
      const { schema, ignored = [] } = knownOf(type, properties) ?? {};
      if (!schema && !isNotRun(type, properties)) return [`${logicalId}: ${type}`];
      const unknown = Object.keys(template['Resources']?.[logicalId] ?? {})
        .filter((member) => !members.includes(member))
        .map((member) => `${logicalId}: ${member}`);
      if (!schema) return unknown;
      const read = Object.entries(properties).filter(([name]) => !ignored.includes(name));
      const result = parse(schema, resolveIntrinsics(Object.fromEntries(read), { assembly, stack }));
      const issues = result.success ? [] : result.error.issues;
      return [
        ...unknown,
        ...issues.map(({ path, message }) => `${logicalId}: ${path.join('.') || 'Properties'}: ${message}`),
      ];
    });
    return [...ofTemplate, ...ofResources];
  });
  return inStacks.length > 0 ? inStacks : notConnected(folder);
}

function notConnected(folder: string): string[] {
  const { stacks } = readAssembly(folder);
  const all = stacks.flatMap(({ resources }) => resources.map(({ type }) => type));
  const count = (type: string) => all.filter((one) => one === `AWS::ApiGatewayV2::${type}`).length;
  const { functions, queues, tables, api, eventSources, schedules } = readServiceModel(folder);
  const timeouts = new Map(functions.map(({ name, timeoutSeconds }) => [name, timeoutSeconds]));
  const targets = [
    ...[...api.routes, ...eventSources.queues, ...eventSources.streams, ...schedules].map(
      (one) => [one.functionName, timeouts.has(one.functionName)] as const,
    ),
    ...eventSources.queues.map(
      (one) => [one.queueName, queues.some(({ name }) => name === one.queueName)] as const,
    ),
    ...eventSources.streams.map(
      (one) => [one.streamArn, tables.some(({ streamArn }) => streamArn === one.streamArn)] as const,
    ),
  ];
  return [
    ...(count('Api') === 1 && count('Stage') === 1
      ? []
      : [`${count('Api')} APIs with ${count('Stage')} stages`]),
    ...targets.flatMap(([name, found]) => (found ? [] : [`"${name}" is not defined`])),
    ...api.routes
      .filter(({ functionName }) => (timeouts.get(functionName) ?? 0) >= gatewayTimeoutSeconds)
      .map(({ key, functionName }) => `${key} invokes ${functionName}, which may outlast the gateway`),
  ];
}
