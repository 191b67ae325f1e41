import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { queues, sizes } from '../config.ts';
import type { Service } from '../service.ts';
import { allow } from './allow.ts';
import { type ServiceFunction, type ServiceFunctionProps, serviceFunction } from './service-function.ts';

export type QueueWorkerProps = ServiceFunctionProps & {
  queue: Queue;
  /** The maximum concurrent executions, 2 to 1,000, so that a long queue does not take concurrency from requests. */
  maxConcurrency: number;
  /** Left out: the batch size of most queues. */
  batchSize?: number;
  /** It makes failed messages visible again before the queue would. */
  bringsBack?: boolean;
};

/** A function that consumes a queue in batches and reports the messages that failed. */
export function addQueueWorker(service: Service, id: string, props: QueueWorkerProps): ServiceFunction {
  const worker = serviceFunction(service, id, { size: sizes.worker, ...props });
  // These are the only actions that the event source mapping needs.
  const ofMapping = ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'];
  const actions = props.bringsBack ? [...ofMapping, 'ChangeMessageVisibility'] : ofMapping;
  allow(worker.lambda, 'sqs', actions, props.queue.queueArn);
  new EventSourceMapping(service.stack, `${id}Mapping`, {
    target: worker.target,
    eventSourceArn: props.queue.queueArn,
    batchSize: props.batchSize ?? queues.batchSize,
    reportBatchItemFailures: true,
    maxConcurrency: props.maxConcurrency,
  });
  return worker;
}
