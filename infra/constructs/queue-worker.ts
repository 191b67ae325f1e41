import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Service } from '../service.ts';
import { type AlarmMeaning, alarm } from './alarm.ts';
import { failureMetrics, sumOf } from './metrics.ts';
import { type ServiceFunction, type ServiceFunctionProps, serviceFunction } from './service-function.ts';

export interface QueueWorkerProps extends ServiceFunctionProps {
  readonly queue: Queue;
  /** The maximum concurrent executions, 2 to 1,000, so that a long queue does not take concurrency from requests. */
  readonly maxConcurrency: number;
  /** Left out: the batch size of most queues. */
  readonly batchSize?: number;
  /**
   * Messages fail by our own fault, or the function crashes or times out: they return to the queue. Left out: the alarm
   * of an objective counts these failures.
   */
  readonly failing?: AlarmMeaning;
  /** It makes failed messages visible again before the queue would. */
  readonly bringsBack?: boolean;
}

/** A function that consumes a queue in batches and reports the messages that failed. */
export function queueWorker(service: Service, id: string, props: QueueWorkerProps): ServiceFunction {
  const { stack, config } = service;
  const worker = serviceFunction(service, id, props);
  // These are the only actions that the event source mapping needs.
  const ofMapping = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];
  worker.lambda.addToRolePolicy(
    new PolicyStatement({
      actions: props.bringsBack ? [...ofMapping, 'sqs:ChangeMessageVisibility'] : ofMapping,
      resources: [props.queue.queueArn],
    }),
  );
  new EventSourceMapping(stack, `${id}Mapping`, {
    target: worker.target,
    eventSourceArn: props.queue.queueArn,
    batchSize: props.batchSize ?? config.queues.batchSize,
    reportBatchItemFailures: true,
    maxConcurrency: props.maxConcurrency,
  });
  if (props.failing) {
    alarm(service, `${id}Errors`, {
      ...props.failing,
      metric: sumOf('failed', failureMetrics(config, worker.lambda), 'failures'),
      rule: config.alarms.workerErrors,
    });
  }
  return worker;
}
