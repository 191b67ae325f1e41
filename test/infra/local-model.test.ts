import type { Template } from 'aws-cdk-lib/assertions';
import { expect, it } from 'vitest';
import { type Stage, stages } from '../../infra/config.ts';
import { readServiceModel, type ServiceModel } from '../../local/template/service-model.ts';
import { functionIds } from './permissions.ts';
import { appOf, templatesOf } from './synthesize.ts';

/** Returns a stage as the local runner reads it, without the stage in its names. */
function modelOf(stage: Stage): ServiceModel {
  const { directory } = appOf(stage).app.synth();
  return JSON.parse(
    JSON.stringify(readServiceModel(directory)).replaceAll(`partner-integration-${stage}-`, ''),
  );
}

const dev = modelOf('dev');

function countInDev(type: string): number {
  return Object.keys(templatesOf('dev').all.findResources(type)).length;
}

it.each(['sandbox', 'staging', 'prod'] as const)(
  'the local runner reads %s, with its aliases, as the same service as dev, with a wallet platform or without',
  (stage) => {
    const simulatedWallet = functionIds(templatesOf('dev').sandbox as Template);
    const absent = stage === 'sandbox' ? [] : simulatedWallet;
    const model = modelOf(stage);
    expect(dev.api.routes).toHaveLength(countInDev('AWS::ApiGatewayV2::Route'));
    const routes = dev.api.routes.filter(({ functionName }) => !absent.includes(functionName));
    expect(model.api).toEqual({ ...dev.api, routes });
    expect([...dev.eventSources.queues, ...dev.eventSources.streams]).toHaveLength(
      countInDev('AWS::Lambda::EventSourceMapping'),
    );
    const queues = dev.eventSources.queues.filter(({ functionName }) => !absent.includes(functionName));
    expect(model.eventSources).toEqual({ ...dev.eventSources, queues });
    expect(model.schedules).toEqual([expect.objectContaining({ functionName: 'SweepDue', everyMs: 60_000 })]);
    expect(model.schedules).toEqual(dev.schedules);
    // The queues of device reports are in the stack of the simulated wallet platform.
    const ofWallet = absent.length > 0 ? ['device-reports', 'device-reports-dlq'] : [];
    expect(model.queues).toEqual(dev.queues.filter(({ name }) => !ofWallet.includes(name)));
    expect(model.functions.map(({ name }) => name)).toEqual(
      dev.functions.map(({ name }) => name).filter((name) => !absent.includes(name)),
    );
  },
);

/** The properties of each type on which the local runner acts. Other tests of this folder pin their values. */
const actedOn: Record<string, string> = {
  'AWS::ApiGatewayV2::Api': 'ProtocolType',
  'AWS::ApiGatewayV2::Stage': 'StageName',
  'AWS::ApiGatewayV2::Authorizer':
    'AuthorizerType AuthorizerUri AuthorizerPayloadFormatVersion EnableSimpleResponses IdentitySource AuthorizerResultTtlInSeconds',
  'AWS::ApiGatewayV2::Integration': 'IntegrationType IntegrationUri PayloadFormatVersion',
  'AWS::ApiGatewayV2::Route': 'RouteKey Target AuthorizationType AuthorizerId',
  'AWS::DynamoDB::Table':
    'AttributeDefinitions KeySchema GlobalSecondaryIndexes BillingMode StreamSpecification TimeToLiveSpecification',
  'AWS::Events::Rule': 'ScheduleExpression State Targets',
  'AWS::Lambda::Function':
    'FunctionName Runtime Handler Timeout MemorySize ReservedConcurrentExecutions Environment',
  'AWS::SQS::Queue':
    'QueueName FifoQueue DeduplicationScope FifoThroughputLimit MessageRetentionPeriod VisibilityTimeout RedrivePolicy',
  // The runner processes one batch of a stream at a time, an order that several at once may have, too.
  'AWS::Lambda::EventSourceMapping':
    'FunctionName FunctionResponseTypes EventSourceArn BatchSize ScalingConfig StartingPosition FilterCriteria ParallelizationFactor BisectBatchOnFunctionError MaximumRetryAttempts MaximumRecordAgeInSeconds DestinationConfig',
};

/** Properties without a difference to the local service: names in AWS, logs, permissions, protection, processors. */
const ignored =
  /^(?:AccessLogSettings|ApiId|Architectures|AutoDeploy|Code|DefaultRouteSettings|DeletionProtectionEnabled|Description|DisableExecuteApiEndpoint|LoggingConfig|Name|PointInTimeRecoverySpecification|RecursiveLoop|Role|RouteSettings|SSESpecification|TracingConfig)$/;

/** Types that only permit, observe or deploy in AWS. The local service runs only the latest code of a function. */
const notRun =
  /^AWS::(?:(?:Backup|Budgets|CloudWatch|CodeDeploy|IAM|KMS|Logs|SNS)::.*|ApiGatewayV2::(?:ApiMapping|DomainName)|Lambda::(?:Alias|EventInvokeConfig|Permission|Version)|SQS::QueuePolicy)$/;

type Resource = { Type: string; Properties: object };

it.each(stages)('the templates of %s have nothing that the local runner does not know', (stage) => {
  const resources = appOf(stage)
    .app.synth()
    .stacks.flatMap(({ template }) => Object.entries<Resource>(template.Resources));
  const unknown = resources.flatMap(([id, { Type, Properties }]) => {
    // A rule for events of AWS sends notices to operators. One with a schedule is run.
    if (notRun.test(Type) || 'EventPattern' in Properties) return [];
    const known = actedOn[Type]?.split(' ') ?? [];
    return Object.keys(Properties)
      .filter((name) => !known.includes(name) && !ignored.test(name))
      .map((name) => `${id}: ${Type} ${name}`);
  });
  expect(unknown).toEqual([]);
  expect(resources.length).toBeGreaterThan(300);
});

it.each(stages)('in %s no function behind a route may outlast the gateway, which waits for 30 s', (stage) => {
  const { functions, api } = modelOf(stage);
  const routed = new Set(api.routes.map(({ functionName }) => functionName));
  const slow = functions.filter(({ name, timeoutSeconds }) => routed.has(name) && timeoutSeconds >= 30);
  expect(slow.map(({ name }) => name)).toEqual([]);
});
