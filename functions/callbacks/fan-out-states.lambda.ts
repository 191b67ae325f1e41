import { messageStore } from '../../shared/push/message-store.ts';
import { connectQueue } from '../../shared/queues/queue.ts';
import { workerDeps } from '../../shared/queues/worker-deps.ts';
import { readEnv } from '../../shared/runtime/env.ts';
import { fanOutStates } from './fan-out-states.ts';

const queue = connectQueue(readEnv('CALLBACKS_QUEUE_URL').CALLBACKS_QUEUE_URL);
export const handler = fanOutStates({ ...workerDeps({ messages: messageStore }), queue });
