import { Aws, CfnParameter, Validations } from 'aws-cdk-lib';
import { AccountPrincipal, AccountRootPrincipal, Role } from 'aws-cdk-lib/aws-iam';
import { allow } from './constructs/allow.ts';
import { splitRoute } from './constructs/http-function.ts';
import type { WalletQueues } from './push.ts';
import type { HttpService } from './service.ts';

/** The role that the wallet platform assumes: its routes, its side of three queues, and nothing else. */
export function addWalletRole(service: HttpService, { outbox, receipts, cancellations }: WalletQueues): Role {
  const { stack, config, gateway } = service;
  const role = new Role(stack, 'WalletPlatform', {
    // IAM is global: a stage may run in several regions of one account.
    roleName: `${config.namePrefix}-wallet-platform-${Aws.REGION}`,
    assumedBy: config.wallet === 'simulated' ? new AccountRootPrincipal() : accountParameter(service),
  });
  const routes = gateway.walletRoutes.map((route) => {
    const { method, path } = splitRoute(route);
    return { method, path: path.replaceAll(/\{[^}]+\}/g, '*') };
  });
  const arnOf = ({ method, path }: (typeof routes)[number]) =>
    gateway.api.arnForExecuteApi(method, path, gateway.stage.stageName);
  allow(role, 'execute-api', ['Invoke'], ...routes.map(arnOf));
  const receiving = ['ReceiveMessage', 'DeleteMessage', 'ChangeMessageVisibility', 'GetQueueAttributes'];
  allow(role, 'sqs', receiving, outbox.queueArn, cancellations.queueArn);
  allow(role, 'sqs', ['SendMessage', 'GetQueueAttributes', 'GetQueueUrl'], receipts.queueArn);
  for (const { method, path } of routes.filter((route) => route.path.includes('*'))) {
    Validations.of(role).acknowledge({
      id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:execute-api:<AWS::Region>:<AWS::AccountId>:<Api>/$default/${method}${path}]`,
      reason: 'A path parameter is * in the ARN of a route: the wallet platform may read any offer.',
    });
  }
  return role;
}

function accountParameter({ stack }: HttpService): AccountPrincipal {
  const account = new CfnParameter(stack, 'WalletAccount', {
    description: "The wallet platform's AWS account. Required at the first deployment, then kept.",
    allowedPattern: '\\d{12}',
  });
  return new AccountPrincipal(account.valueAsString);
}
