import { expect, it } from 'vitest';
import type { stages } from '../../infra/config.ts';
import { functionIds, permissionsIn, statementsOf } from './permissions.ts';
import { simulatedWallet, templatesOf } from './synthesize.ts';

function walletOf(stage: (typeof stages)[number]) {
  const update = templatesOf(stage).service.findResources('AWS::Lambda::Function')['UpdateRecipients'];
  return update?.['Properties'].Environment.Variables.WALLET;
}

it.each(['staging', 'prod'] as const)(
  '%s has a real wallet platform and carries nothing of a simulated one',
  (stage) => {
    const { sandbox, all } = templatesOf(stage);
    expect(sandbox).toBeUndefined();
    expect(functionIds(all)).toEqual(
      functionIds(templatesOf('dev').all).filter((id) => !simulatedWallet.includes(id)),
    );
    expect(JSON.stringify(all.findResources('AWS::ApiGatewayV2::Route'))).not.toContain('/sandbox');
    expect(walletOf(stage)).toBe('real');
  },
);

it.each(['dev', 'sandbox'] as const)('in %s functions stand in for the wallet platform', (stage) => {
  const { sandbox, all } = templatesOf(stage);
  expect(sandbox && functionIds(sandbox)).toEqual(simulatedWallet);
  expect(permissionsIn(statementsOf(all, 'ShowMessages'))).toEqual({
    ShowMessagesLogs: ['logs:CreateLogStream', 'logs:PutLogEvents'],
    '*': ['xray:PutTelemetryRecords', 'xray:PutTraceSegments'],
    PushOutbox: ['sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage'],
    DeviceReports: ['sqs:SendMessage'],
    table: ['dynamodb:BatchGetItem', 'dynamodb:PutItem'],
  });
  expect(permissionsIn(statementsOf(all, 'ReportReceipts'))).toEqual({
    ReportReceiptsLogs: ['logs:CreateLogStream', 'logs:PutLogEvents'],
    '*': ['xray:PutTelemetryRecords', 'xray:PutTraceSegments'],
    DeviceReports: ['sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage'],
    DeliveryReceipts: ['sqs:SendMessage'],
  });
  expect(permissionsIn(statementsOf(all, 'OpenPhoneMessage'))).toMatchObject({
    DeliveryReceipts: ['sqs:SendMessage'],
  });
  for (const id of ['ShowMessages', 'GetPhone', 'PutPhone', 'DeletePhone', 'OpenPhoneMessage']) {
    const [rows] = statementsOf(all, id).flatMap(({ conditions }) => conditions ?? []);
    expect(rows, id).toEqual({
      'ForAllValues:StringLike': {
        'dynamodb:LeadingKeys': ['PHONES#*', 'PHONE#*', 'MSISDN#*', 'IDEM#*'],
      },
    });
  }
  expect(permissionsIn(statementsOf(all, 'OpenSandboxCheckIn'))).toMatchObject({
    table: ['BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem', 'UpdateItem'].map(
      (action) => `dynamodb:${action}`,
    ),
  });
  for (const id of ['TakeSandboxCallback', 'GetSandboxReceiver', 'PutSandboxReceiver']) {
    const [rows] = statementsOf(all, id).flatMap(({ conditions }) => conditions ?? []);
    expect(rows, id).toEqual({
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['ENDPOINT#*', 'RECEIVED#*', 'IDEM#*'] },
    });
  }
  expect(walletOf(stage)).toBe('simulated');
});

it('a stage for partners sends and delivers as dev does, and keeps its data as staging does', () => {
  const mappings = templatesOf('sandbox').sandbox?.findResources('AWS::Lambda::EventSourceMapping') ?? {};
  expect(Object.values(mappings)).toMatchObject([
    { Properties: { BatchSize: 10, ScalingConfig: { MaximumConcurrency: 10 } } },
    { Properties: { BatchSize: 10, ScalingConfig: { MaximumConcurrency: 10 } } },
  ]);
  expect(templatesOf('sandbox').service.findParameters('AlarmEmail')).toHaveProperty('AlarmEmail');
  expect(templatesOf('sandbox').service.findParameters('WalletAccount')).toEqual({});
});

it('503 that partners ask of their receivers, or get beyond the ceiling, is no server error of the stage', () => {
  const { Metrics } =
    templatesOf('sandbox').service.findResources('AWS::CloudWatch::Alarm')['ServerErrors']?.['Properties'] ??
    {};
  const counted = (Metrics as { Id: string; MetricStat?: { Metric: { MetricName: string } } }[]).map(
    ({ Id, MetricStat }) => [Id, MetricStat?.Metric.MetricName],
  );
  expect(Object.fromEntries(counted)).toMatchObject({
    excluded0: 'Throttles',
    excluded1: 'Errors',
    excluded2: 'ReceiverFailed',
    excluded3: 'Throttles',
  });
});

it('rule 49: a partner sends 1,000 recipients a minute on the sandbox and 100,000 elsewhere, unless agreed', () => {
  const rateOf = (stage: (typeof stages)[number]) => {
    const authorizer = templatesOf(stage).service.findResources('AWS::Lambda::Function')['AuthorizePartner'];
    return authorizer?.['Properties'].Environment.Variables.PUSHES_PER_MINUTE;
  };
  expect([rateOf('dev'), rateOf('sandbox'), rateOf('prod')]).toEqual(['100000', '1000', '100000']);
});
