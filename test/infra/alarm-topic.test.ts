import type { Template } from 'aws-cdk-lib/assertions';
import { expect, it } from 'vitest';
import { stages } from '../../infra/config.ts';
import { propertiesOf, templatesOf } from './synthesize.ts';

const { service } = templatesOf('prod');

it.each(stages)(
  'in %s the topics of alarms are encrypted and take messages over TLS only, from CloudWatch, and notices of the budget and of backups',
  (stage) => {
    const template: Template = templatesOf(stage).service;
    template.allResourcesProperties('AWS::SNS::Topic', {
      KmsMasterKeyId: { 'Fn::GetAtt': ['AlarmKey', 'Arn'] },
    });
    const policies = propertiesOf(template, 'AWS::SNS::TopicPolicy');
    const statementsOf = (topic: string): Record<string, unknown>[] =>
      policies.find(({ Topics }) => Topics[0].Ref === topic)?.PolicyDocument.Statement;
    expect(policies).toHaveLength(2);
    const publishersOf = (topic: string) =>
      statementsOf(topic).flatMap(({ Effect, Action, Principal, Condition }) => {
        if (Effect === 'Deny') return [Condition];
        expect(Action).toBe('sns:Publish');
        const publishers = [(Principal as { Service: string | string[] }).Service].flat();
        // AWS takes no condition for EventBridge, which names no account: its notices would not arrive.
        const ownAccount = { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } };
        expect(Condition).toEqual(publishers.includes('events.amazonaws.com') ? undefined : ownAccount);
        return publishers;
      });
    const overTlsOnly = { Bool: { 'aws:SecureTransport': 'false' } };
    const noticed =
      stage === 'dev'
        ? ['cloudwatch.amazonaws.com']
        : ['budgets.amazonaws.com', 'cloudwatch.amazonaws.com', 'events.amazonaws.com'];
    expect(publishersOf('Alarms')).toEqual([overTlsOnly, 'cloudwatch.amazonaws.com']);
    expect(publishersOf('Notices')).toEqual([overTlsOnly, ...noticed]);
  },
);

it('outside dev the deployment requires an email address for alarms', () => {
  expect(service.findParameters('AlarmEmail')['AlarmEmail']).not.toHaveProperty('Default');
  const subscriptions = propertiesOf(service, 'AWS::SNS::Subscription');
  expect(subscriptions.filter(({ Protocol }) => Protocol === 'email')).toEqual([
    { Protocol: 'email', Endpoint: { Ref: 'AlarmEmail' }, TopicArn: { Ref: 'Alarms' } },
    { Protocol: 'email', Endpoint: { Ref: 'AlarmEmail' }, TopicArn: { Ref: 'Notices' } },
  ]);
  templatesOf('dev').service.resourceCountIs('AWS::SNS::Subscription', 0);
});

it('alarms page in a second way where a deployment names one, over HTTPS, and its key is not shown', () => {
  const { PagingUrl } = service.findParameters('PagingUrl');
  expect(PagingUrl).toMatchObject({ Type: 'String', Default: '', NoEcho: true });
  const allowed = new RegExp(`^(${PagingUrl?.['AllowedPattern']})$`);
  const addresses = ['', 'https://events.example.com/key', 'http://events.example.com', 'oncall@example.com'];
  expect(addresses.filter((address) => allowed.test(address))).toEqual([
    '',
    'https://events.example.com/key',
  ]);
  service.hasResource('AWS::SNS::Subscription', {
    Condition: 'HasPagingUrl',
    Properties: { Protocol: 'https', Endpoint: { Ref: 'PagingUrl' }, TopicArn: { Ref: 'Alarms' } },
  });
  expect(service.findConditions('HasPagingUrl')).toEqual({
    HasPagingUrl: { 'Fn::Not': [{ 'Fn::Equals': [{ Ref: 'PagingUrl' }, ''] }] },
  });
});
