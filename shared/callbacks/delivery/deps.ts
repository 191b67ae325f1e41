import { type GuardedClient, guardedClient } from '../../platform/egress/guarded-client.ts';
import { addressPolicy } from '../../platform/egress/public-address.ts';
import { parkedStore } from '../../platform/queues/parked-store.ts';
import { connectQueue } from '../../platform/queues/queue.ts';
import type { Queue } from '../../platform/queues/send-all.ts';
import { workerDeps } from '../../platform/queues/worker-deps.ts';
import type { Clock } from '../../platform/runtime/clock.ts';
import { readEnv } from '../../platform/runtime/env.ts';
import { type Ids, systemIds as ids } from '../../platform/runtime/ids.ts';
import { randomFrom } from '../../platform/runtime/random.ts';
import type { Table } from '../../platform/table/table.ts';
import { deliveredLog } from '../delivered-log.ts';
import { type CallbackLog, logByDefault } from '../endpoint/endpoint.ts';
import { endpointHealth } from '../endpoint/health.ts';
import { endpointSpeed } from '../endpoint/speed.ts';
import { endpointStore } from '../endpoint/store.ts';
import { retrySpeed } from '../retries/schedule.ts';
import { callbackStore } from '../retries/store.ts';

/** The fast lane forwards callbacks to slow endpoints to the queue of the slow lane, which attempts everything. */
type Lane = { name: 'fast'; slowQueue: Queue } | { name: 'slow' };

type Connections = {
  lane: Lane;
  client: GuardedClient;
  /** Retries are sent there, whichever lane made the attempt. */
  queue: Queue;
  clock: Clock;
  ids: Ids;
  /** Divides the waits between attempts: 1 wherever partners are real. */
  retrySpeed: number;
  logByDefault: CallbackLog;
};

/** Builds the stores on one table. Made once in an instance: it caches what is known of endpoints. */
export function deliveryDeps({ table, ...connections }: Connections & { table: Table }) {
  const random = randomFrom(connections.ids);
  return {
    ...connections,
    health: endpointHealth({ ...connections, endpoints: endpointStore(table) }),
    callbacks: callbackStore(table),
    delivered: deliveredLog(table),
    parked: parkedStore(table),
    random,
    speed: endpointSpeed({ ...connections, random }),
  };
}

export type DeliveryDeps = ReturnType<typeof deliveryDeps>;

export function deployedDeps(): DeliveryDeps {
  const env = readEnv(
    'CALLBACKS_QUEUE_URL',
    'CALLBACKS_LANE',
    'CALLBACK_ADDRESSES',
    'CALLBACK_RETRY_SPEED',
    'WALLET',
  );
  return deliveryDeps({
    ...workerDeps(),
    lane: laneOf(env.CALLBACKS_LANE),
    queue: connectQueue(env.CALLBACKS_QUEUE_URL),
    client: guardedClient(addressPolicy(env.CALLBACK_ADDRESSES)),
    ids,
    retrySpeed: retrySpeed(env.CALLBACK_RETRY_SPEED),
    logByDefault: logByDefault(env.WALLET),
  });
}

/** CALLBACKS_LANE: both functions run this code, and only the fast one has the URL of the other's queue. */
function laneOf(name: string): Lane {
  if (name === 'slow') return { name };
  if (name !== 'fast') throw new Error(`CALLBACKS_LANE is no lane: ${name}`);
  return { name, slowQueue: connectQueue(readEnv('SLOW_CALLBACKS_QUEUE_URL').SLOW_CALLBACKS_QUEUE_URL) };
}
