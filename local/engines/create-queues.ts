import { account } from '../template/account.ts';
import type { QueueModel } from '../template/service-model.ts';
import { type Call, isEngineError } from './json-call.ts';

/** The URL of a queue at this endpoint. An engine's own answer may name another host. */
export function queueUrl(endpoint: string, name: string): string {
  return `${endpoint}/${account.id}/${name}`;
}

/** Creates every queue as the template describes it. Dead-letter queues come first, because others name them. */
export async function createQueues(
  call: Call,
  endpoint: string,
  queues: readonly QueueModel[],
): Promise<void> {
  const { plain = [], redriving = [] } = Object.groupBy(queues, ({ attributes }) =>
    'RedrivePolicy' in attributes ? 'redriving' : 'plain',
  );
  for (const { name, attributes } of [...plain, ...redriving]) {
    try {
      await call('CreateQueue', { QueueName: name, Attributes: attributes });
    } catch (error) {
      // An earlier run created the queue with other attributes.
      if (!isEngineError(error, 'QueueNameExists', 'QueueAlreadyExists')) throw error;
      const { FifoQueue: _fixed, ...changeable } = attributes;
      await call('SetQueueAttributes', { QueueUrl: queueUrl(endpoint, name), Attributes: changeable });
    }
  }
}

export async function dropQueue(call: Call, endpoint: string, { name }: QueueModel): Promise<void> {
  await call('DeleteQueue', { QueueUrl: queueUrl(endpoint, name) }).catch((error) => {
    if (!isEngineError(error, 'QueueDoesNotExist', 'NonExistentQueue')) throw error;
  });
}
