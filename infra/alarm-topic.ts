import { Aws, CfnCondition, CfnParameter, Fn, RemovalPolicy, type Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import {
  CfnSubscription,
  Subscription,
  SubscriptionProtocol,
  Topic,
  type TopicProps,
} from 'aws-cdk-lib/aws-sns';
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
  const masterKey = alarmKey(stack);
  const topics = {
    alarms: alarmTopic(stack, 'Alarms', { topicName: `${namePrefix}-alarms`, masterKey }),
    notices: alarmTopic(stack, 'Notices', { topicName: noticesTopicName(namePrefix), masterKey }),
  };
  const { notices } = topics;
  const mayNotify = (name: string, statement: typeof forOwn) => {
    const service = `${name.toLowerCase()}.amazonaws.com`;
    const publish = { sid: `${name}Publish`, actions: ['sns:Publish'], resource: notices.topicArn };
    notices.addToResourcePolicy(statement(service, publish));
    masterKey.addToResourcePolicy(
      statement(service, { sid: `${name}Encrypt`, actions: encryption, resource: '*' }),
    );
  };
  if (monthlyBudgetDollars !== undefined) mayNotify('Budgets', forOwn);
  if (keepsData) {
    // The rule about backups that fail. EventBridge names no account when it publishes, so a condition would refuse it:
    // https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-use-resource-based.html#eb-sns-permissions
    mayNotify('Events', forService);
    subscribeByEmail(stack, topics);
    subscribePagingService(stack, topics);
  }
  return topics;
}

function alarmTopic(stack: Stack, id: string, props: TopicProps): Topic {
  const topic = new Topic(stack, id, { ...props, enforceSSL: true });
  // The TLS-only policy replaces the default one, which would let this account's alarms publish.
  topic.addToResourcePolicy(forAlarms('AlarmsPublish', ['sns:Publish'], topic.topicArn));
  return topic;
}

/** CloudWatch cannot publish to a topic under the AWS managed key, whose policy cannot be changed. */
function alarmKey(stack: Stack): Key {
  const key = new Key(stack, 'AlarmKey', {
    description: 'Encrypts alarm messages',
    enableKeyRotation: true,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  key.addToResourcePolicy(forAlarms('AlarmsEncrypt', encryption, '*'));
  return key;
}

const encryption = ['kms:Decrypt', 'kms:GenerateDataKey*'];

/** Allows the alarms of this account to do this. */
function forAlarms(sid: string, actions: string[], resource: string): PolicyStatement {
  return forOwn('cloudwatch.amazonaws.com', { sid, actions, resource });
}

type Allowed = { sid: string; actions: string[]; resource: string };

/** Allows an AWS service to do this in the name of this account alone. */
function forOwn(service: string, allowed: Allowed): PolicyStatement {
  const statement = forService(service, allowed);
  statement.addCondition('StringEquals', { 'aws:SourceAccount': Aws.ACCOUNT_ID });
  return statement;
}

/** Allows an AWS service to do this. */
function forService(service: string, { sid, actions, resource }: Allowed): PolicyStatement {
  return new PolicyStatement({
    sid,
    principals: [new ServicePrincipal(service)],
    actions,
    resources: [resource],
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
