import { expect, it } from 'vitest';
import type { stages } from '../../infra/config.ts';
import { functionIds, permissionsIn, rowsOf, statementsOf } from './permissions.ts';
import { resource, templatesOf, variablesOf } from './synthesize.ts';

function walletOf(stage: (typeof stages)[number]) {
  return variablesOf(templatesOf(stage).service, 'UpdateRecipients').WALLET;
}

const checkIns = ['CHECKIN#*', 'CHECKINS#*'];

/** The rows of each function that only stages with a simulated wallet platform have. */
const rows: Record<string, ReturnType<typeof rowsOf>> = {
  DeletePhone: {
    reads: ['ACCOUNT#*', 'MSISDN#*', 'PHONE#*', 'PHONES#*'],
    writes: ['PHONE#*', 'PHONES#*', 'REQUESTS#*'],
  },
  GetPhone: { reads: ['MSISDN#*', 'PHONE#*', 'PHONES#*'], writes: ['REQUESTS#*'] },
  GetSandboxReceiver: { reads: ['ENDPOINT#*', 'RECEIVED#*'], writes: ['ENDPOINT#*', 'REQUESTS#*'] },
  ListPhones: { reads: ['PHONES#*'], writes: ['REQUESTS#*'] },
  OpenPhoneMessage: { reads: ['IDEM#*', 'PHONE#*'], writes: ['IDEM#*', 'PHONE#*', 'REQUESTS#*'] },
  OpenSandboxCheckIn: {
    reads: [...checkIns, 'IDEM#*', 'OFFER#*', 'PLACES#*'],
    writes: ['CHECKIN#*', 'CHECKINCOUNTER#*', 'CHECKINS#*', 'IDEM#*', 'REQUESTS#*'],
  },
  PutPhone: { reads: ['ACCOUNT#*'], writes: ['PHONES#*', 'REQUESTS#*'] },
  PutSandboxReceiver: {
    reads: ['ACCOUNT#*', 'IDEM#*', 'RECEIVED#*'],
    writes: ['ENDPOINT#*', 'IDEM#*', 'REQUESTS#*'],
  },
  RemoveMessages: {
    reads: ['BULK#*', 'MSG#*', 'PHONES#*', 'STATES#*'],
    writes: ['PHONE#*', 'REMOVED#*'],
  },
  ReportReceipts: { reads: ['REMOVED#*'], writes: [] },
  ShowMessages: { reads: ['PHONES#*', 'REMOVED#*'], writes: ['PHONE#*'] },
  TakeSandboxCallback: { reads: ['ENDPOINT#*'], writes: ['ENDPOINT#*', 'RECEIVED#*'] },
};

it.each(['staging', 'prod'] as const)(
  '%s has a real wallet platform and carries nothing of a simulated one',
  (stage) => {
    const { sandbox, all } = templatesOf(stage);
    expect(sandbox).toBeUndefined();
    expect(functionIds(all)).toEqual(functionIds(templatesOf('dev').all).filter((id) => !(id in rows)));
    expect(JSON.stringify(all.findResources('AWS::ApiGatewayV2::Route'))).not.toContain('/sandbox');
    expect(walletOf(stage)).toBe('real');
  },
);

it.each(['dev', 'sandbox'] as const)('in %s functions stand in for the wallet platform', (stage) => {
  const { sandbox, all } = templatesOf(stage);
  expect(sandbox && functionIds(sandbox)).toEqual(Object.keys(rows));
  expect(Object.fromEntries(Object.keys(rows).map((id) => [id, rowsOf(all, id)]))).toEqual(rows);
  expect(permissionsIn(statementsOf(all, 'ShowMessages'))).toMatchObject({
    ShowMessagesLogs: ['logs:CreateLogStream', 'logs:PutLogEvents'],
    '*': ['xray:PutTelemetryRecords', 'xray:PutTraceSegments'],
    PushOutbox: ['sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage'],
    DeviceReports: ['sqs:SendMessage'],
  });
  expect(permissionsIn(statementsOf(all, 'RemoveMessages'))).toMatchObject({
    PushCancellations: ['sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage'],
    DeliveryReceipts: ['sqs:SendMessage'],
  });
  expect(permissionsIn(statementsOf(all, 'ReportReceipts'))).toMatchObject({
    ReportReceiptsLogs: ['logs:CreateLogStream', 'logs:PutLogEvents'],
    '*': ['xray:PutTelemetryRecords', 'xray:PutTraceSegments'],
    DeviceReports: ['sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage'],
    DeliveryReceipts: ['sqs:SendMessage'],
  });
  expect(permissionsIn(statementsOf(all, 'OpenPhoneMessage'))).toMatchObject({
    DeliveryReceipts: ['sqs:SendMessage'],
  });
  expect(walletOf(stage)).toBe('simulated');
});

it('503 of full places, and of receivers by request of partners or beyond the ceiling, is no server error of the stage', () => {
  const { Metrics } = resource(templatesOf('sandbox').service, 'AWS::CloudWatch::Alarm', 'ServerErrors');
  const counted = (Metrics as { Id: string; MetricStat?: { Metric: { MetricName: string } } }[]).map(
    ({ Id, MetricStat }) => [Id, MetricStat?.Metric.MetricName],
  );
  expect(Object.fromEntries(counted)).toMatchObject({
    excluded0: 'Throttles',
    excluded1: 'Errors',
    excluded2: 'RefusedAs503',
    excluded4: 'RefusedAs503',
    excluded5: 'RefusedAs503',
    excluded6: 'Throttles',
  });
});

it('rule 20: a partner sends 1,000 recipients a minute on the sandbox and 100,000 elsewhere, unless agreed', () => {
  const rateOf = (stage: (typeof stages)[number]) =>
    variablesOf(templatesOf(stage).service, 'AuthorizePartner').PUSHES_PER_MINUTE;
  expect([rateOf('dev'), rateOf('sandbox'), rateOf('prod')]).toEqual(['100000', '1000', '100000']);
});
