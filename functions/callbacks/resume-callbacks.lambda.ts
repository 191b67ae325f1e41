import { dueIndex } from '../../shared/callbacks/due-index.ts';
import { endpointStore } from '../../shared/callbacks/endpoint-store.ts';
import { connectQueue } from '../../shared/queues/queue.ts';
import { systemClock as clock } from '../../shared/runtime/clock.ts';
import { readEnv } from '../../shared/runtime/env.ts';
import { connectTable } from '../../shared/table/table.ts';
import { resumeCallbacks } from './resume-callbacks.ts';

const env = readEnv('TABLE_NAME', 'CALLBACKS_QUEUE_URL');
const table = connectTable(env.TABLE_NAME);
export const handler = resumeCallbacks({
  due: dueIndex(table),
  endpoints: endpointStore(table),
  queue: connectQueue(env.CALLBACKS_QUEUE_URL),
  clock,
});
