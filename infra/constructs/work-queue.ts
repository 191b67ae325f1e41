import { Duration } from 'aws-cdk-lib';
import { DeduplicationScope, FifoThroughputLimit, Queue, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import { type FunctionSize, queues, sizes } from '../config.ts';
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
  /** The age at which that alarm goes off. */
  lateAfterSeconds?: number;
  /** Messages failed every attempt and were moved to the dead-letter queue. Left out: they have been sent again. */
  dlqNotEmpty?: AlarmMeaning;
  /** Whether a function receives from the dead-letter queue, so that nothing may ever be seen waiting there. */
  dlqIsConsumed?: boolean;
};

/**
 * AWS recommends this factor of a function's timeout: a message must not reappear while a batch that contains it may be
 * running, and it is hidden from its receipt on, while Lambda may have to wait for concurrency before it invokes the
 * function. docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
 */
const visibilityTimeouts = 6;

export type WorkQueue = ReturnType<typeof addQueue>;

/** A queue, its dead-letter queue (`<id>Dlq`), and their alarms. */
export function addQueue(service: Service, id: string, props: WorkQueueProps) {
  const { stack, config } = service;
  const { name = kebabCase(id), maxReceiveCount = 5 } = props;
  // A list of service points takes about a minute, so 600 s are far beyond its variation.
  const { worker = sizes.worker, lateAfterSeconds = 600 } = props;
  const visibilityOf = ({ timeoutSeconds }: FunctionSize) =>
    Duration.seconds(timeoutSeconds * visibilityTimeouts);
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
    visibilityTimeout: visibilityOf(sizes.worker),
    retentionPeriod: Duration.days(queues.dlqRetentionDays),
  });
  const queue = new Queue(stack, id, {
    ...shared,
    queueName: physicalName(name),
    visibilityTimeout: visibilityOf(worker),
    retentionPeriod: Duration.days(4),
    deadLetterQueue: { queue: dlq, maxReceiveCount },
  });
  addAlarm(service, `${id}Late`, {
    ...props.late,
    metric: queue.metricApproximateAgeOfOldestMessage(),
    threshold: lateAfterSeconds,
  });
  // SQS does not count messages that it moves itself as sent: they only show as waiting, or as received.
  const failed = props.dlqIsConsumed
    ? dlq.metricNumberOfMessagesReceived()
    : dlq.metricApproximateNumberOfMessagesVisible();
  if (props.dlqNotEmpty) addAlarm(service, `${id}DlqNotEmpty`, { ...props.dlqNotEmpty, metric: failed });
  return { queue, dlq };
}
