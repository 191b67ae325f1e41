import { expect, it } from 'vitest';
import { permissionsIn, statementsOfRole } from './permissions.ts';
import { resource, templatesOf } from './synthesize.ts';

const { service } = templatesOf('prod');

function trustOf(stage: 'dev' | 'prod') {
  return resource(templatesOf(stage).service, 'AWS::IAM::Role', 'WalletPlatform').AssumeRolePolicyDocument
    .Statement;
}

function root(account: string) {
  return {
    'Fn::Join': ['', ['arn:', { Ref: 'AWS::Partition' }, ':iam::', { Ref: account }, ':root']],
  };
}

it('the wallet platform may invoke its routes, receive pushes and send receipts, and nothing else', () => {
  const receiving = ['ChangeMessageVisibility', 'DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage'].map(
    (action) => `sqs:${action}`,
  );
  expect(permissionsIn(statementsOfRole(service, 'WalletPlatform'))).toEqual({
    '$default/POST/wallet/check-ins': ['execute-api:Invoke'],
    '$default/GET/wallet/offers/*/places': ['execute-api:Invoke'],
    '$default/GET/wallet/offers/*/promos': ['execute-api:Invoke'],
    '$default/PUT/wallet/recipients': ['execute-api:Invoke'],
    PushCancellations: receiving,
    PushOutbox: receiving,
    DeliveryReceipts: ['sqs:GetQueueAttributes', 'sqs:GetQueueUrl', 'sqs:SendMessage'],
  });
});

it('outside dev the deployment requires the account that may assume the role; in dev it is the same account', () => {
  expect(service.findParameters('WalletAccount')['WalletAccount']).toEqual(
    expect.objectContaining({ Type: 'String', AllowedPattern: '\\d{12}' }),
  );
  expect(service.findParameters('WalletAccount')['WalletAccount']).not.toHaveProperty('Default');
  expect(trustOf('prod')).toEqual([
    { Action: 'sts:AssumeRole', Effect: 'Allow', Principal: { AWS: root('WalletAccount') } },
  ]);
  expect(trustOf('dev')).toEqual([
    { Action: 'sts:AssumeRole', Effect: 'Allow', Principal: { AWS: root('AWS::AccountId') } },
  ]);
  expect(templatesOf('dev').service.findParameters('WalletAccount')).toEqual({});
});
