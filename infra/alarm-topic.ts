import { Aws, CfnParameter, RemovalPolicy, type Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Subscription, SubscriptionProtocol, Topic } from 'aws-cdk-lib/aws-sns';
import type { StageConfig } from './config.ts';
import { logicalId } from './constructs/logical-id.ts';

const cloudWatch = new ServicePrincipal('cloudwatch.amazonaws.com');
const fromThisAccount = { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } };

/** The topic that every alarm notifies: encrypted, over TLS only. */
export function addAlarmTopic(stack: Stack, config: StageConfig): Topic {
  const topic = logicalId(
    new Topic(stack, 'Alarms', {
      topicName: `${config.namePrefix}-alarms`,
      enforceSSL: true,
      masterKey: alarmKey(stack),
    }),
  );
  // The TLS-only policy replaces the default one, which would let this account's alarms publish.
  topic.addToResourcePolicy(
    new PolicyStatement({
      sid: 'AlarmsPublish',
      principals: [cloudWatch],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: fromThisAccount,
    }),
  );
  if (config.alarmsByEmail) subscribeByEmail(stack, topic);
  return topic;
}

/** CloudWatch cannot publish to a topic under the AWS managed key, whose policy cannot be changed. */
function alarmKey(stack: Stack): Key {
  const key = logicalId(
    new Key(stack, 'AlarmKey', {
      description: 'Encrypts alarm messages',
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.DESTROY,
    }),
  );
  key.addToResourcePolicy(
    new PolicyStatement({
      sid: 'AlarmsEncrypt',
      principals: [cloudWatch],
      actions: ['kms:Decrypt', 'kms:GenerateDataKey*'],
      resources: ['*'],
      conditions: fromThisAccount,
    }),
  );
  return key;
}

function subscribeByEmail(stack: Stack, topic: Topic): void {
  const email = new CfnParameter(stack, 'AlarmEmail', {
    description: 'The email address that alarms notify. Required at the first deployment, then kept.',
    allowedPattern: '[^@\\s]+@[^@\\s]+',
  });
  logicalId(
    new Subscription(stack, 'AlarmSubscription', {
      topic,
      protocol: SubscriptionProtocol.EMAIL,
      endpoint: email.valueAsString,
    }),
  );
}
