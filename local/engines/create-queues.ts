import { account } from '../template/account.ts';
import type { QueueModel } from '../template/service-model.ts';
import { type Call, unlessRefused } from './json-call.ts';

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
    const creation = call('CreateQueue', { QueueName: name, Attributes: attributes });
    if (await unlessRefused(creation, 'QueueNameExists', 'QueueAlreadyExists')) continue;
    // An earlier run created the queue with other attributes.
    const { FifoQueue: _fixed, ...changeable } = attributes;
    await call('SetQueueAttributes', { QueueUrl: queueUrl(endpoint, name), Attributes: changeable });
  }
}

export async function dropQueue(call: Call, endpoint: string, { name }: QueueModel): Promise<void> {
  const deletion = call('DeleteQueue', { QueueUrl: queueUrl(endpoint, name) });
  await unlessRefused(deletion, 'QueueDoesNotExist', 'NonExistentQueue');
}
