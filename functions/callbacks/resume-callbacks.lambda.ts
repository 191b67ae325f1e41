import { endpointStore } from '../../shared/callbacks/endpoint/store.ts';
import { dueIndex } from '../../shared/callbacks/retries/due-index.ts';
import { connectQueue } from '../../shared/platform/queues/queue.ts';
import { workerDeps } from '../../shared/platform/queues/worker-deps.ts';
import { readEnv } from '../../shared/platform/runtime/env.ts';
import { resumeCallbacks } from './resume-callbacks.ts';

const queue = connectQueue(readEnv('CALLBACKS_QUEUE_URL').CALLBACKS_QUEUE_URL);
export const handler = resumeCallbacks({ ...workerDeps({ due: dueIndex, endpoints: endpointStore }), queue });
