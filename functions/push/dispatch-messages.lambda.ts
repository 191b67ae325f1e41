import { messageStore } from '../../shared/push/message-store.ts';
import { connectQueue } from '../../shared/queues/queue.ts';
import { workerDeps } from '../../shared/queues/worker-deps.ts';
import { readEnv } from '../../shared/runtime/env.ts';
import { dispatchMessages } from './dispatch-messages.ts';

const queue = connectQueue(readEnv('OUTBOX_QUEUE_URL').OUTBOX_QUEUE_URL);
export const handler = dispatchMessages({ ...workerDeps({ messages: messageStore }), queue });
