import { messageStore } from '../../shared/push/message-store.ts';
import { connectQueue } from '../../shared/queues/queue.ts';
import { workerDeps } from '../../shared/queues/worker-deps.ts';
import { readEnv } from '../../shared/runtime/env.ts';
import { fanOutStates } from './fan-out-states.ts';

const { table, ...deps } = workerDeps();
export const handler = fanOutStates({
  ...deps,
  messages: messageStore(table),
  queue: connectQueue(readEnv('CALLBACKS_QUEUE_URL').CALLBACKS_QUEUE_URL),
});
