import { TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Service } from '../service.ts';
import { type AlarmMeaning, alarm } from './alarm.ts';
import { logicalId } from './logical-id.ts';
import { type ServiceFunctionProps, serviceFunction } from './service-function.ts';

export interface QueueWorkerProps extends ServiceFunctionProps {
  readonly queue: Queue;
  /** How many of it may run at once, 2 to 1,000. Left out: as many as the account has left. */
  readonly maxConcurrency?: number;
  /** The function crashes, times out or is killed, so that whole batches come back. */
  readonly crashing: AlarmMeaning;
}

/** A function that consumes a queue in batches and names the messages it could not do. */
export const queueWorker = (service: Service, id: string, props: QueueWorkerProps): LambdaFunction => {
  const { stack, config } = service;
  const worker = serviceFunction(service, id, props);
  // What the mapping needs and no more: it never changes a message's visibility by itself.
  worker.addToRolePolicy(
    new PolicyStatement({
      actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
      resources: [props.queue.queueArn],
    }),
  );
  logicalId(
    new EventSourceMapping(stack, `${id}Mapping`, {
      target: worker,
      eventSourceArn: props.queue.queueArn,
      batchSize: config.queues.batchSize,
      reportBatchItemFailures: true,
      ...(props.maxConcurrency === undefined ? {} : { maxConcurrency: props.maxConcurrency }),
    }),
  );
  alarm(service, `${id}Errors`, {
    ...props.crashing,
    metric: (period) => worker.metricErrors({ period }),
    rule: config.alarms.workerErrors,
    missingData: TreatMissingData.NOT_BREACHING,
  });
  return worker;
};
