import { Duration } from 'aws-cdk-lib';
import { DeduplicationScope, FifoThroughputLimit, Queue, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import type { AlarmRule } from '../alarm-rules.ts';
import type { FunctionSize } from '../config.ts';
import { kebabCase } from '../kebab-case.ts';
import type { Service } from '../service.ts';
import { type AlarmMeaning, addAlarm } from './alarm.ts';

export type WorkQueueProps = {
  /** Last part of the physical name, without `.fifo`. Left out: the id in kebab case. */
  name?: string;
  /** Ordered within each message group, with high throughput. */
  fifo?: boolean;
  /** The size of the consumer: its timeout decides how long a received message stays hidden. Left out: that of most. */
  worker?: FunctionSize;
  /** Left out: that of most queues. */
  maxReceiveCount?: number;
  /** Messages wait too long. */
  late: AlarmMeaning;
  /** The age at which the alarm goes off. Left out: the rule of most queues. */
  lateRule?: AlarmRule;
  /** Messages failed every attempt and were moved to the dead-letter queue. Left out: they have been sent again. */
  dlqNotEmpty?: AlarmMeaning;
  /** Whether a function receives from the dead-letter queue, so that nothing may ever be seen waiting there. */
  dlqIsConsumed?: boolean;
};

export type WorkQueue = ReturnType<typeof addQueue>;

/** A queue, its dead-letter queue (`<id>Dlq`), and their alarms. */
export function addQueue(service: Service, id: string, props: WorkQueueProps) {
  const { stack, config } = service;
  const { name = kebabCase(id), maxReceiveCount = config.queues.maxReceiveCount } = props;
  const { worker = config.sizes.worker } = props;
  const visibilityOf = ({ timeoutSeconds }: FunctionSize) =>
    Duration.seconds(timeoutSeconds * config.queues.visibilityTimeouts);
  const physicalName = (name: string) => `${config.namePrefix}-${name}${props.fifo ? '.fifo' : ''}`;
  const shared: QueueProps = {
    enforceSSL: true,
    ...(props.fifo
      ? {
          fifo: true,
          deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
          fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
        }
      : {}),
  };
  const dlq = new Queue(stack, `${id}Dlq`, {
    ...shared,
    queueName: physicalName(`${name}-dlq`),
    // Its consumer, if it has one, has the size of most workers.
    visibilityTimeout: visibilityOf(config.sizes.worker),
    retentionPeriod: Duration.days(config.queues.dlqRetentionDays),
  });
  const queue = new Queue(stack, id, {
    ...shared,
    queueName: physicalName(name),
    visibilityTimeout: visibilityOf(worker),
    retentionPeriod: Duration.days(config.queues.retentionDays),
    deadLetterQueue: { queue: dlq, maxReceiveCount },
  });
  addAlarm(service, `${id}Late`, {
    ...props.late,
    metric: queue.metricApproximateAgeOfOldestMessage(),
    rule: props.lateRule ?? config.alarms.queueAgeSeconds,
  });
  // SQS does not count messages that it moves itself as sent: they only show as waiting, or as received.
  const failed = props.dlqIsConsumed
    ? dlq.metricNumberOfMessagesReceived()
    : dlq.metricApproximateNumberOfMessagesVisible();
  const rule = config.alarms.dlqMessages;
  if (props.dlqNotEmpty)
    addAlarm(service, `${id}DlqNotEmpty`, { ...props.dlqNotEmpty, metric: failed, rule });
  return { queue, dlq };
}
