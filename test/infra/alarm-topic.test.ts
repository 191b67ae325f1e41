import { expect, it } from 'vitest';
import { stages } from '../../infra/config.ts';
import { propertiesOf, resource, templatesOf } from './synthesize.ts';

const { service } = templatesOf('prod');

type Statement = {
  Effect: string;
  Action: unknown;
  Principal: { Service: string | string[] };
};

/** Returns who may do this by the statements, and what they deny. Services may do it in the name of this account alone. */
function allowedBy(statements: readonly (Statement & { Condition?: unknown })[], action: unknown) {
  const ownAccount = { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } };
  return statements.flatMap(({ Effect, Action, Principal, Condition }) => {
    if (Effect === 'Deny') return [Condition];
    expect(Action).toEqual(action);
    const services = [Principal.Service].flat();
    // AWS takes no condition for EventBridge, which names no account: its notices would not arrive.
    expect(Condition).toEqual(services.includes('events.amazonaws.com') ? undefined : ownAccount);
    return services;
  });
}

it.each(stages)(
  'in %s the topics of alarms take messages over TLS only, encrypted with their key, from CloudWatch, and notices of the budget and of backups',
  (stage) => {
    const { service: template } = templatesOf(stage);
    template.allResourcesProperties('AWS::SNS::Topic', {
      KmsMasterKeyId: { 'Fn::GetAtt': ['AlarmKey', 'Arn'] },
    });
    const policies = propertiesOf(template, 'AWS::SNS::TopicPolicy');
    expect(policies).toHaveLength(2);
    const publishersOf = (topic: string) => {
      const policy = policies.find(({ Topics }) => Topics[0].Ref === topic);
      return allowedBy(policy?.PolicyDocument.Statement, 'sns:Publish');
    };
    const overTlsOnly = { Bool: { 'aws:SecureTransport': 'false' } };
    const noticed =
      stage === 'dev'
        ? ['cloudwatch.amazonaws.com']
        : ['budgets.amazonaws.com', 'cloudwatch.amazonaws.com', 'events.amazonaws.com'];
    expect(publishersOf('Alarms')).toEqual([overTlsOnly, 'cloudwatch.amazonaws.com']);
    expect(publishersOf('Notices')).toEqual([overTlsOnly, ...noticed]);
    const { KeyPolicy } = resource(template, 'AWS::KMS::Key', 'AlarmKey');
    const [own, ...others] = KeyPolicy.Statement;
    const ownAccount = ['arn:', { Ref: 'AWS::Partition' }, ':iam::', { Ref: 'AWS::AccountId' }, ':root'];
    expect(own.Principal).toEqual({ AWS: { 'Fn::Join': ['', ownAccount] } });
    expect(allowedBy(others, ['kms:Decrypt', 'kms:GenerateDataKey*'])).toEqual(noticed);
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
