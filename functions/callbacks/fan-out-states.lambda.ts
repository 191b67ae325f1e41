import { connectQueue } from '../../shared/queues/queue.ts';
import { workerDeps } from '../../shared/queues/worker-deps.ts';
import { readEnv } from '../../shared/runtime/env.ts';
import { fanOutStates } from './fan-out-states.ts';

const { table: _written, ...deps } = workerDeps();
export const handler = fanOutStates({
  ...deps,
  queue: connectQueue(readEnv('CALLBACKS_QUEUE_URL').CALLBACKS_QUEUE_URL),
});
