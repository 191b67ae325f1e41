import { connectQueue } from '../../shared/platform/queues/queue.ts';
import { workerDeps } from '../../shared/platform/queues/worker-deps.ts';
import { readEnv } from '../../shared/platform/runtime/env.ts';
import { messageStore } from '../../shared/push/message-store.ts';
import { dispatchMessages } from './dispatch-messages.ts';

const queue = connectQueue(readEnv('OUTBOX_QUEUE_URL').OUTBOX_QUEUE_URL);
export const handler = dispatchMessages({ ...workerDeps({ messages: messageStore }), queue });
