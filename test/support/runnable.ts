import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readAssembly, resolveIntrinsics } from '../../local/template/assembly.ts';
import { readServiceModel } from '../../local/template/service-model.ts';

type Values = Readonly<Record<string, RegExp>>;

const ofQueue = /^"arn:[^"]*:sqs:[^"]*"$/;
const segment = String.raw`/(?:[^/{}+]+|\{\w+\})`;
const path = String.raw`/|(?:${segment})+(?:/\{\w+\+\})?`;
const mapping = { FunctionName: /./, FunctionResponseTypes: /^\["ReportBatchItemFailures"\]$/ };

/** The properties of each type on which the local runner acts, and which of their values, as JSON, it knows. */
const actedOn: Readonly<Record<string, Values>> = {
  'AWS::ApiGatewayV2::Api': { ProtocolType: /^"HTTP"$/ },
  'AWS::ApiGatewayV2::Stage': { StageName: /^"\$default"$/ },
  'AWS::ApiGatewayV2::Authorizer': {
    AuthorizerType: /^"REQUEST"$/,
    AuthorizerUri: /./,
    AuthorizerPayloadFormatVersion: /^"2.0"$/,
    EnableSimpleResponses: /^true$/,
    IdentitySource: /^\[(?:"\$request\.header\.[\w-]+",?)+\]$/,
    AuthorizerResultTtlInSeconds: /^\d+$/,
  },
  'AWS::ApiGatewayV2::Integration': {
    IntegrationType: /^"AWS_PROXY"$/,
    IntegrationUri: /./,
    PayloadFormatVersion: /^"2.0"$/,
  },
  'AWS::ApiGatewayV2::Route': {
    RouteKey: new RegExp(`^"(?:\\$default|(?:GET|HEAD|PUT|POST|DELETE|PATCH) (?:${path}))"$`),
    Target: /./,
    AuthorizationType: /^"(?:NONE|AWS_IAM|CUSTOM)"$/,
    AuthorizerId: /./,
  },
  'AWS::DynamoDB::Table': {
    AttributeDefinitions: /./,
    KeySchema: /./,
    GlobalSecondaryIndexes: /./,
    BillingMode: /^"PAY_PER_REQUEST"$/,
    StreamSpecification: /^\{"StreamViewType":"\w+"\}$/,
    TimeToLiveSpecification: /"Enabled":true/,
  },
  'AWS::Events::Rule': {
    ScheduleExpression: /./,
    State: /^"ENABLED"$/,
    // Nothing throttles functions in the local service, so no event waits until it is too old.
    Targets: /^\[\{(?=.*"arn:[^"]*:lambda:)(?=.*"MaximumRetryAttempts":0)[^[\]]*\}\]$/,
  },
  'AWS::Lambda::Function': {
    FunctionName: /./,
    Runtime: /^"nodejs24\.x"$/,
    Handler: /./,
    // The gateway does not wait longer than 30 s for a function, but queues do.
    Timeout: /./,
    MemorySize: /./,
    ReservedConcurrentExecutions: /./,
    Environment: /^\{"Variables":\{.*\}\}$/,
  },
  'AWS::SQS::Queue': {
    QueueName: /./,
    FifoQueue: /^true$/,
    DeduplicationScope: /./,
    FifoThroughputLimit: /./,
    MessageRetentionPeriod: /./,
    VisibilityTimeout: /./,
    RedrivePolicy: /^\{"deadLetterTargetArn":"[^"]+","maxReceiveCount":\d+\}$/,
  },
  'a mapping of a queue': {
    ...mapping,
    EventSourceArn: ofQueue,
    // SQS returns at most ten messages per receive. A larger batch would need a batching window.
    BatchSize: /^(?:\d|10)$/,
    ScalingConfig: /^\{"MaximumConcurrency":\d+\}$/,
  },
  'a mapping of a stream': {
    ...mapping,
    EventSourceArn: /^"arn:[^"]*:dynamodb:[^"]*"$/,
    BatchSize: /./,
    StartingPosition: /^"TRIM_HORIZON"$/,
    FilterCriteria: /^\{"Filters":\[(?:\{"Pattern":"(?:[^"\\]|\\.)*"\},?)+\]\}$/,
    // The local runner processes one batch at a time, which is an order that several at once may have, too.
    ParallelizationFactor: /./,
    BisectBatchOnFunctionError: /^true$/,
    MaximumRetryAttempts: /^\d+$/,
    MaximumRecordAgeInSeconds: /^\d+$/,
    DestinationConfig: new RegExp(`^\\{"OnFailure":\\{"Destination":${ofQueue.source.slice(1, -1)}\\}\\}$`),
  },
};

/** Properties without a difference to the local service: names in AWS, logs, permissions, protection, processors. */
const ignored =
  /^(?:AccessLogSettings|ApiId|Architectures|AutoDeploy|Code|DefaultRouteSettings|DeletionProtectionEnabled|DisableExecuteApiEndpoint|LoggingConfig|Name|PointInTimeRecoverySpecification|RecursiveLoop|Role|RouteSettings|SSESpecification|TracingConfig)$/;

/** Types that only permit, observe or deploy in AWS. The local service runs only the latest code of a function. */
const notRun =
  /^AWS::(?:(?:Backup|Budgets|CloudWatch|CodeDeploy|IAM|KMS|Logs|SNS)::.*|ApiGatewayV2::(?:ApiMapping|DomainName)|Lambda::(?:Alias|EventInvokeConfig|Permission|Version)|SQS::QueuePolicy)$/;

/** Parameters have their defaults in the local service; `Rules` are about the deployment. */
const sections = ['Conditions', 'Description', 'Outputs', 'Parameters', 'Resources', 'Rules'];

/** Returns a sentence for each part of a folder's templates that the local runner would not run as AWS does. */
export function notRunnable(folder: string): string[] {
  const assembly = readAssembly(folder);
  const inStacks = assembly.stacks.flatMap((stack) => {
    const template: object = JSON.parse(readFileSync(join(folder, `${stack.name}.template.json`), 'utf8'));
    const unknown = Object.keys(template).filter((section) => !sections.includes(section));
    const ofResources = stack.resources.flatMap(({ logicalId, type, properties }) => {
      // A rule for events of AWS sends notices to operators. One with a schedule is run.
      if (notRun.test(type) || (type === 'AWS::Events::Rule' && 'EventPattern' in properties)) return [];
      const isStream = 'StartingPosition' in properties;
      const mapped = isStream ? 'a mapping of a stream' : 'a mapping of a queue';
      const values = actedOn[type === 'AWS::Lambda::EventSourceMapping' ? mapped : type];
      if (!values) return [`${logicalId}: ${type}`];
      const read = Object.entries(properties).filter(([name]) => !ignored.test(name) || name in values);
      const resolved = resolveIntrinsics(Object.fromEntries(read), { assembly, stack }) as object;
      return Object.entries(resolved)
        .map(([name, value]) => ({ name, json: JSON.stringify(value) }))
        .filter(({ name, json }) => !values[name]?.test(json))
        .map(({ name, json }) => `${logicalId}: ${name}: ${json}`);
    });
    return [...unknown.map((section) => `stack ${stack.name}: section ${section}`), ...ofResources];
  });
  return inStacks.length > 0 ? inStacks : notConnected(folder);
}

function notConnected(folder: string): string[] {
  const { functions, queues, tables, api, eventSources, schedules } = readServiceModel(folder);
  const timeouts = new Map(functions.map(({ name, timeoutSeconds }) => [name, timeoutSeconds]));
  const { queues: fromQueues, streams } = eventSources;
  const defined = new Set([
    ...timeouts.keys(),
    ...queues.map(({ name }) => name),
    ...tables.map(({ streamArn }) => streamArn),
  ]);
  const named = [
    ...[...api.routes, ...fromQueues, ...streams, ...schedules].map(({ functionName }) => functionName),
    ...fromQueues.map(({ queueName }) => queueName),
    ...streams.map(({ streamArn }) => streamArn),
  ];
  return [
    ...named.filter((name) => !defined.has(name)).map((name) => `"${name}" is not defined`),
    ...api.routes
      .filter(({ functionName }) => (timeouts.get(functionName) ?? 0) >= 30)
      .map(({ key, functionName }) => `${key} invokes ${functionName}, which may outlast the gateway`),
  ];
}
