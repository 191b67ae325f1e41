import { Template } from 'aws-cdk-lib/assertions';
import { expect, it } from 'vitest';
import { configOf } from '../../infra/config.ts';
import { streamWorker } from '../../infra/constructs/stream-worker.ts';
import { statementsOf } from './statements.ts';
import { defineApp, stubBundle } from './synthesize.ts';

/** No function follows the stream yet, so one is added to the service as it stands. */
const withStreamWorker = (): Template => {
  const { app, data, service } = defineApp('prod');
  const config = configOf('prod');
  streamWorker(
    {
      stack: service,
      config,
      table: data.table,
      alarmTopic: service.alarmTopic,
      codeFolder: () => stubBundle,
    },
    'FanOut',
    {
      bundle: 'callbacks/fan-out',
      size: config.sizes.worker,
      tableActions: ['dynamodb:GetItem'],
      filters: [{ eventName: ['INSERT'] }],
      late: {
        impact: 'Callbacks are late: partners learn of new states only by asking.',
        runbook: 'fan-out-late',
      },
      failed: {
        impact: 'Callbacks were given up: partners never hear of those states.',
        runbook: 'fan-out-failed',
      },
    },
  );
  app.synth();
  return Template.fromStack(service);
};

const template = withStreamWorker();

it('a stream function is woken by the records it asks for, and a bad one cannot hold up its shard', () => {
  template.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
    FunctionName: { Ref: 'FanOut' },
    StartingPosition: 'TRIM_HORIZON',
    BatchSize: 100,
    BisectBatchOnFunctionError: true,
    FunctionResponseTypes: ['ReportBatchItemFailures'],
    MaximumRetryAttempts: 12,
    MaximumRecordAgeInSeconds: 43_200,
    FilterCriteria: { Filters: [{ Pattern: '{"eventName":["INSERT"]}' }] },
    DestinationConfig: { OnFailure: { Destination: { 'Fn::GetAtt': ['FanOutFailed', 'Arn'] } } },
  });
});

it('what it gives up lies in a queue behind an alarm for 14 days', () => {
  expect(
    template.findResources('AWS::SQS::Queue')['FanOutFailed']?.['Properties'].MessageRetentionPeriod,
  ).toBe(14 * 86_400);
  template.hasResourceProperties('AWS::CloudWatch::Alarm', {
    AlarmDescription:
      'Callbacks were given up: partners never hear of those states. Runbook: docs/runbook.md#fan-out-failed',
    MetricName: 'ApproximateNumberOfMessagesVisible',
    Threshold: 1,
  });
  template.hasResourceProperties('AWS::CloudWatch::Alarm', { MetricName: 'IteratorAge', Threshold: 300_000 });
});

it('it may read the stream and report failures, and nothing else besides its table actions', () => {
  const actions = statementsOf(template, 'FanOut').flatMap((statement) => statement.actions);
  expect(actions.sort()).toEqual([
    'dynamodb:DescribeStream',
    'dynamodb:GetItem',
    'dynamodb:GetRecords',
    'dynamodb:GetShardIterator',
    'dynamodb:ListStreams',
    'logs:CreateLogStream',
    'logs:PutLogEvents',
    'sqs:GetQueueAttributes',
    'sqs:GetQueueUrl',
    'sqs:SendMessage',
    'xray:PutTelemetryRecords',
    'xray:PutTraceSegments',
  ]);
});
