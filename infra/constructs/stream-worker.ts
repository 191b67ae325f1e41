import { Duration, Validations } from 'aws-cdk-lib';
import { TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import {
  EventSourceMapping,
  FilterCriteria,
  type Function as LambdaFunction,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Service } from '../service.ts';
import { type AlarmMeaning, alarm } from './alarm.ts';
import { logicalId } from './logical-id.ts';
import { type ServiceFunction, type ServiceFunctionProps, serviceFunction } from './service-function.ts';

export interface StreamWorkerProps extends ServiceFunctionProps {
  /** Event patterns of the records that wake the function: any of them suffices. */
  readonly filters: readonly Record<string, unknown>[];
  /** Records wait too long. */
  readonly late: AlarmMeaning;
  /** Records were given up and described in the queue `<id>Failed`. */
  readonly failed: AlarmMeaning;
}

/** A function that follows the table's stream. A record it cannot do never holds up its shard for good. */
export function streamWorker(service: Service, id: string, props: StreamWorkerProps): ServiceFunction {
  const { stack, config, table } = service;
  const streamArn = table.tableStreamArn;
  if (!streamArn) throw new Error('The table has no stream to follow.');
  const worker = serviceFunction(service, id, props);
  const failures = failureQueue(service, id);
  worker.lambda.addToRolePolicy(
    new PolicyStatement({
      actions: [
        'dynamodb:DescribeStream',
        'dynamodb:GetRecords',
        'dynamodb:GetShardIterator',
        'dynamodb:ListStreams',
      ],
      resources: [streamArn],
    }),
  );
  logicalId(
    new EventSourceMapping(stack, `${id}Mapping`, {
      target: worker.called,
      eventSourceArn: streamArn,
      startingPosition: StartingPosition.TRIM_HORIZON,
      filters: props.filters.map((pattern) => FilterCriteria.filter(pattern)),
      batchSize: config.streams.batchSize,
      bisectBatchOnError: true,
      reportBatchItemFailures: true,
      retryAttempts: config.streams.retryAttempts,
      maxRecordAge: Duration.hours(config.streams.maxRecordAgeHours),
      // Also grants the function to send there.
      onFailure: new SqsDlq(failures),
    }),
  );
  watchStream(service, props, { worker: worker.lambda, failures });
  return worker;
}

function failureQueue({ stack, config }: Service, id: string): Queue {
  const queue = logicalId(
    new Queue(stack, `${id}Failed`, {
      queueName: `${config.namePrefix}-${id}-failed`,
      enforceSSL: true,
      retentionPeriod: Duration.days(config.queues.deadRetentionDays),
    }),
  );
  Validations.of(queue).acknowledge({
    id: 'AwsSolutions-SQS3',
    reason:
      'It is the end of the line itself: what a stream function gave up is described here, behind an alarm.',
  });
  return queue;
}

function watchStream(
  service: Service,
  props: StreamWorkerProps,
  { worker, failures }: { worker: LambdaFunction; failures: Queue },
): void {
  const { streamAgeMs, deadArrivals } = service.config.alarms;
  alarm(service, `${worker.node.id}Late`, {
    ...props.late,
    metric: (period) => worker.metric('IteratorAge', { period, statistic: 'Maximum' }),
    rule: streamAgeMs,
    missingData: TreatMissingData.NOT_BREACHING,
  });
  alarm(service, `${worker.node.id}GivenUp`, {
    ...props.failed,
    metric: (period) => failures.metricApproximateNumberOfMessagesVisible({ period }),
    rule: deadArrivals,
    missingData: TreatMissingData.NOT_BREACHING,
  });
}
