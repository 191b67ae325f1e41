import { account } from '../template/account.ts';
import type { QueueModel } from '../template/service-model.ts';
import { type Call, isEngineError } from './json-call.ts';

/** Independent of what the engine believes its own host name to be. */
export function queueUrl(endpoint: string, name: string): string {
  return `${endpoint}/${account.id}/${name}`;
}

async function createOrUpdate(call: Call, endpoint: string, { name, attributes }: QueueModel): Promise<void> {
  try {
    await call('CreateQueue', { QueueName: name, Attributes: attributes });
  } catch (error) {
    // An earlier run created it from another template.
    if (!isEngineError(error, 'QueueNameExists', 'QueueAlreadyExists')) throw error;
    const { FifoQueue: _fixed, ...changeable } = attributes;
    await call('SetQueueAttributes', { QueueUrl: queueUrl(endpoint, name), Attributes: changeable });
  }
}

/** Creates every queue as the template describes it. A dead-letter queue must exist before it is named. */
export async function createQueues(
  call: Call,
  endpoint: string,
  queues: readonly QueueModel[],
): Promise<void> {
  const { plain = [], redriving = [] } = Object.groupBy(queues, ({ attributes }) =>
    'RedrivePolicy' in attributes ? 'redriving' : 'plain',
  );
  for (const queue of [...plain, ...redriving]) await createOrUpdate(call, endpoint, queue);
}

export async function dropQueue(call: Call, endpoint: string, { name }: QueueModel): Promise<void> {
  await call('DeleteQueue', { QueueUrl: queueUrl(endpoint, name) }).catch((error) => {
    if (!isEngineError(error, 'QueueDoesNotExist', 'NonExistentQueue')) throw error;
  });
}
