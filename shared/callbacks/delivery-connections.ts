import { connectQueue } from '../queues/queue.ts';
import { workerDeps } from '../queues/worker-deps.ts';
import { readEnv } from '../runtime/env.ts';
import { systemIds as ids } from '../runtime/ids.ts';
import type { Lane } from './delivery-deps.ts';
import { logByDefault } from './endpoint.ts';
import { guardedClient } from './guarded-client.ts';
import { addressPolicy } from './public-address.ts';
import { retrySpeed } from './retry-schedule.ts';

/** CALLBACKS_LANE: both functions run this code, and only the fast one has the URL of the other's queue. */
function laneOf(name: string): Lane {
  if (name === 'slow') return { name };
  if (name !== 'fast') throw new Error(`CALLBACKS_LANE is no lane: ${name}`);
  return { name, slowQueue: connectQueue(readEnv('SLOW_CALLBACKS_QUEUE_URL').SLOW_CALLBACKS_QUEUE_URL) };
}

/** The connections of a deployed function, in either lane. */
export function deliveryConnections() {
  const env = readEnv(
    'CALLBACKS_QUEUE_URL',
    'CALLBACKS_LANE',
    'CALLBACK_ADDRESSES',
    'CALLBACK_RETRY_SPEED',
    'WALLET',
  );
  return {
    ...workerDeps(),
    lane: laneOf(env.CALLBACKS_LANE),
    queue: connectQueue(env.CALLBACKS_QUEUE_URL),
    client: guardedClient(addressPolicy(env.CALLBACK_ADDRESSES)),
    ids,
    retrySpeed: retrySpeed(env.CALLBACK_RETRY_SPEED),
    logByDefault: logByDefault(env.WALLET),
  };
}
