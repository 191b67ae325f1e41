import { Duration, Validations } from 'aws-cdk-lib';
import { EventSourceMapping, FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { marked, streamMarkers } from '../../shared/platform/table/stream-markers.ts';
import { queues, sizes, streams } from '../config.ts';
import type { Service } from '../service.ts';
import { type AlarmMeaning, addAlarm } from './alarm.ts';
import { allow } from './allow.ts';
import { sumMetrics } from './metrics.ts';
import { type ServiceFunctionProps, serviceFunction } from './service-function.ts';

export type StreamWorkerProps = ServiceFunctionProps & {
  /** The function is invoked by new and changed rows that have this marker. */
  marker: keyof typeof streamMarkers;
  /** Whether a change counts only if the row did not have the marker before. */
  onceMarked?: boolean;
  /** Records wait too long, or the function does not read the stream at all. */
  late: AlarmMeaning;
  /** Records failed every attempt; the queue `<id>Dlq` says where in the stream they are, if SQS takes that. */
  dlqNotEmpty: AlarmMeaning;
};

/** A function that reads the table's stream. A record that keeps failing never blocks its shard for good. */
export function addStreamWorker(service: Service, id: string, props: StreamWorkerProps): void {
  const { stack, table } = service;
  const { tableStreamArn: streamArn } = table;
  const worker = serviceFunction(service, id, { size: sizes.worker, ...props });
  const dlq = deadLetterQueue(service, id);
  const reading = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'];
  allow(worker.lambda, 'dynamodb', reading, streamArn);
  new EventSourceMapping(stack, `${id}Mapping`, {
    target: worker.target,
    eventSourceArn: streamArn,
    startingPosition: StartingPosition.TRIM_HORIZON,
    filters: filtersOf(props),
    batchSize: streams.batchSize,
    bisectBatchOnError: true,
    reportBatchItemFailures: true,
    // Records of one row stay in order.
    parallelizationFactor: streams.batchesAtOnce,
    // While SQS is down an attempt takes 27.5 s at least, so the age ends the attempts: a shorter outage loses no record.
    // Records that no attempt can process are parked at once; one at which the code crashes holds up its share.
    retryAttempts: 1_600,
    // This is half of the stream's 24 hours: the other half is left to fix the cause and replay.
    maxRecordAge: Duration.hours(12),
    // Also grants the function to send there.
    onFailure: new SqsDlq(dlq),
  });
  addAlarm(service, `${id}Late`, {
    ...props.late,
    // Lambda emits it only with an invocation. The heartbeat of each minute causes one.
    metric: worker.lambda.metric('IteratorAge', { statistic: 'Maximum' }),
    expectsData: true,
    threshold: 300_000,
    periods: 2,
  });
  addAlarm(service, `${id}DlqNotEmpty`, {
    ...props.dlqNotEmpty,
    metric: sumMetrics('discarded', [
      dlq.metricApproximateNumberOfMessagesVisible(),
      // SQS may not take the description either, most likely in the outage that made the records fail.
      worker.lambda.metric('DestinationDeliveryFailures', { statistic: 'Sum' }),
    ]),
  });
}

/** A filter for new rows, which have no old image to look at, and one for changed rows. */
function filtersOf({ marker, onceMarked = false }: StreamWorkerProps) {
  const name = streamMarkers[marker];
  const isMarked = { NewImage: { [name]: { S: [marked] } } };
  const wasNot = onceMarked ? { OldImage: { [name]: { S: FilterRule.notExists() } } } : {};
  return [
    FilterCriteria.filter({ eventName: ['INSERT'], dynamodb: isMarked }),
    FilterCriteria.filter({ eventName: ['MODIFY'], dynamodb: { ...isMarked, ...wasNot } }),
  ];
}

function deadLetterQueue({ stack, config }: Service, id: string): Queue {
  const queue = new Queue(stack, `${id}Dlq`, {
    queueName: `${config.namePrefix}-${id}-dlq`,
    enforceSSL: true,
    retentionPeriod: Duration.days(queues.dlqRetentionDays),
  });
  Validations.of(queue).acknowledge({
    id: 'AwsSolutions-SQS3',
    reason: 'It is a dead-letter queue itself, with an alarm: Lambda describes records here that failed.',
  });
  return queue;
}
