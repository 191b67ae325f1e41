import { connectQueue } from '../../shared/platform/queues/queue.ts';
import { workerDeps } from '../../shared/platform/queues/worker-deps.ts';
import { readEnv } from '../../shared/platform/runtime/env.ts';
import { messageStore } from '../../shared/push/message-store.ts';
import { fanOutStates } from './fan-out-states.ts';

const queue = connectQueue(readEnv('CALLBACKS_QUEUE_URL').CALLBACKS_QUEUE_URL);
export const handler = fanOutStates({ ...workerDeps({ messages: messageStore }), queue });
