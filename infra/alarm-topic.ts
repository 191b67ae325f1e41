import { Aws, CfnCondition, CfnParameter, Fn, RemovalPolicy, type Stack } from 'aws-cdk-lib';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { CfnSubscription, Subscription, SubscriptionProtocol, Topic } from 'aws-cdk-lib/aws-sns';
import type { StageConfig } from './config.ts';

export function noticesTopicName(namePrefix: string): string {
  return `${namePrefix}-notices`;
}

export type AlarmTopics = ReturnType<typeof addAlarmTopics>;

/**
 * The topics of alarms: `alarms` needs attention now, `notices` can wait until the next working day. Both are encrypted,
 * over TLS only. One email address receives both, and what can page in another way the alarms.
 */
export function addAlarmTopics(stack: Stack, config: StageConfig) {
  const { namePrefix, monthlyBudgetDollars, keepsData } = config;
  const masterKey = new Key(stack, 'AlarmKey', {
    description: 'Encrypts alarm messages',
    enableKeyRotation: true,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const topics = {
    alarms: new Topic(stack, 'Alarms', { topicName: `${namePrefix}-alarms`, masterKey, enforceSSL: true }),
    notices: new Topic(stack, 'Notices', {
      topicName: noticesTopicName(namePrefix),
      masterKey,
      enforceSSL: true,
    }),
  };
  const { alarms, notices } = topics;
  // The TLS-only policies replace the default ones, which would let this account's alarms publish. CloudWatch cannot
  // publish to a topic under the AWS managed key, whose policy cannot be changed.
  const alarm = ofThisAccount('cloudwatch.amazonaws.com');
  for (const topic of [alarms, notices]) topic.grantPublish(alarm);
  if (monthlyBudgetDollars !== undefined) notices.grantPublish(ofThisAccount('budgets.amazonaws.com'));
  if (keepsData) {
    // The rule about backups that fail. EventBridge names no account when it publishes, so a condition would refuse it:
    // https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-use-resource-based.html#eb-sns-permissions
    notices.grantPublish(new ServicePrincipal('events.amazonaws.com'));
    subscribeByEmail(stack, topics);
    subscribePagingService(stack, topics);
  }
  return topics;
}

/** An AWS service, in the name of this account alone. */
function ofThisAccount(service: string): ServicePrincipal {
  return new ServicePrincipal(service, {
    conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
  });
}

function subscribeByEmail(stack: Stack, { alarms, notices }: AlarmTopics): void {
  const email = new CfnParameter(stack, 'AlarmEmail', {
    description: 'The email address that alarms notify. Required at the first deployment, then kept.',
    allowedPattern: '[^@\\s]+@[^@\\s]+',
  });
  const byEmail = { protocol: SubscriptionProtocol.EMAIL, endpoint: email.valueAsString };
  new Subscription(stack, 'AlarmSubscription', { ...byEmail, topic: alarms });
  new Subscription(stack, 'NoticeSubscription', { ...byEmail, topic: notices });
}

/** A second way for alarms, because one mailbox may be full, filtered, or read by nobody at night. */
function subscribePagingService(stack: Stack, { alarms }: AlarmTopics): void {
  const url = new CfnParameter(stack, 'PagingUrl', {
    description: 'The HTTPS address of a paging service that alarms notify too. Empty: none.',
    default: '',
    allowedPattern: '|https://[^\\s]+',
    // Paging services put a key into it.
    noEcho: true,
  });
  const pages = new CfnCondition(stack, 'HasPagingUrl', {
    expression: Fn.conditionNot(Fn.conditionEquals(url, '')),
  });
  const { HTTPS: protocol } = SubscriptionProtocol;
  const subscription = new CfnSubscription(stack, 'PagingSubscription', {
    protocol,
    endpoint: url.valueAsString,
    topicArn: alarms.topicArn,
  });
  subscription.cfnOptions.condition = pages;
}
