import { dueIndex } from '../../shared/callbacks/due-index.ts';
import { connectQueue } from '../../shared/queues/queue.ts';
import { systemClock as clock } from '../../shared/runtime/clock.ts';
import { readEnv } from '../../shared/runtime/env.ts';
import { connectTable } from '../../shared/table/table.ts';
import { resumeCallbacks } from './resume-callbacks.ts';

const env = readEnv('TABLE_NAME', 'CALLBACKS_QUEUE_URL');
export const handler = resumeCallbacks({
  due: dueIndex(connectTable(env.TABLE_NAME)),
  queue: connectQueue(env.CALLBACKS_QUEUE_URL),
  clock,
});
