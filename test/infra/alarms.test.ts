import { readFileSync } from 'node:fs';
import type { Template } from 'aws-cdk-lib/assertions';
import { expect, it } from 'vitest';
import { stages } from '../../infra/config.ts';
import { templatesOf } from './synthesize.ts';

const { service } = templatesOf('prod');
const alarms = Object.entries(service.findResources('AWS::CloudWatch::Alarm')).map(
  ([id, { Properties }]) => ({
    id,
    ...Properties,
  }),
);

/** As GitHub makes a heading's id. */
const headingIds = [...readFileSync('docs/runbook.md', 'utf8').matchAll(/^## (.+)$/gm)].map(([, text = '']) =>
  text
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-'),
);

it('there is an alarm on the API, the authorizer, the table, every queue, every consumer and the schedule', () => {
  expect(alarms.map(({ id }) => id).sort()).toEqual([
    'AuthorizerErrors',
    'CallbacksFailed',
    'CallbacksLate',
    'DeliverCallbackErrors',
    'DeliveryReceiptsFailed',
    'DeliveryReceiptsLate',
    'DispatchMessagesGivenUp',
    'DispatchMessagesLate',
    'EndFailedSliceErrors',
    'FanOutStatesGivenUp',
    'FanOutStatesLate',
    'PlacesSyncDeadLate',
    'PlacesSyncFailed',
    'PlacesSyncLate',
    'ProcessSliceErrors',
    'PushOutboxFailed',
    'PushOutboxLate',
    'RecordReceiptsErrors',
    'ResumeCallbacksErrors',
    'ServerErrors',
    'TableThrottled',
  ]);
});

it('every alarm says in a sentence what happened and whom it hurts, and where to read on', () => {
  for (const { id, AlarmDescription } of alarms) {
    expect(AlarmDescription, id).toMatch(/^[A-Z].{40,160}\. Runbook: docs\/runbook\.md#[a-z-]+$/);
  }
});

it('every alarm has its heading in the runbook, and every heading its alarm', () => {
  const pointedAt = alarms.map(({ AlarmDescription }) => AlarmDescription.split('#')[1]);
  expect(pointedAt.sort()).toEqual(headingIds.sort());
});

it('every alarm is reported, when it goes off and when it is over', () => {
  for (const { id, AlarmActions, OKActions, TreatMissingData } of alarms) {
    expect(AlarmActions, id).toEqual([{ Ref: 'Alarms' }]);
    expect(OKActions, id).toEqual([{ Ref: 'Alarms' }]);
    expect(TreatMissingData, id).toBe('notBreaching');
  }
});

it.each(stages)(
  'in %s the alarm topic is encrypted and takes messages over TLS only, from CloudWatch',
  (stage) => {
    const template: Template = templatesOf(stage).service;
    template.hasResourceProperties('AWS::SNS::Topic', {
      KmsMasterKeyId: { 'Fn::GetAtt': ['AlarmKey', 'Arn'] },
    });
    const [policy] = Object.values(template.findResources('AWS::SNS::TopicPolicy'));
    const statements = policy?.['Properties'].PolicyDocument.Statement;
    expect(statements).toHaveLength(2);
    expect(statements).toContainEqual(
      expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
    );
    expect(statements).toContainEqual(
      expect.objectContaining({
        Effect: 'Allow',
        Action: 'sns:Publish',
        Principal: { Service: 'cloudwatch.amazonaws.com' },
        Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
      }),
    );
  },
);

it('outside dev the deployment asks who is told about alarms', () => {
  expect(service.findParameters('AlarmEmail')['AlarmEmail']).not.toHaveProperty('Default');
  service.hasResourceProperties('AWS::SNS::Subscription', {
    Protocol: 'email',
    Endpoint: { Ref: 'AlarmEmail' },
  });
  templatesOf('dev').service.resourceCountIs('AWS::SNS::Subscription', 0);
});
