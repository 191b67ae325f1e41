import { type GuardedClient, guardedClient } from '../../platform/egress/guarded-client.ts';
import { addressPolicy } from '../../platform/egress/public-address.ts';
import { parkedStore } from '../../platform/queues/parked-store.ts';
import type { Queue } from '../../platform/queues/queue.ts';
import { connectQueue } from '../../platform/queues/queue.ts';
import { type Clock, systemClock as clock } from '../../platform/runtime/clock.ts';
import { readEnv } from '../../platform/runtime/env.ts';
import { type Ids, systemIds as ids } from '../../platform/runtime/ids.ts';
import { type Random, randomFrom } from '../../platform/runtime/random.ts';
import { sleepUntil } from '../../platform/runtime/sleep.ts';
import { connectTable, type Table } from '../../platform/table/table.ts';
import { type CallbackLog, logByDefault } from '../endpoint/endpoint.ts';
import { endpointStore } from '../endpoint/endpoint-store.ts';
import { failedCallbacks } from '../endpoint/failed-callbacks.ts';
import { endpointHealth } from '../endpoint/health.ts';
import { endpointPace } from '../endpoint/pace.ts';
import { responseTimes } from '../endpoint/response-times.ts';
import { endpointViews } from '../endpoint/views.ts';
import { deliveredLog } from '../feed/delivered-log.ts';
import { callbackStore } from '../rows/callback-store.ts';
import { retrySpeed } from '../schedule.ts';

/** The fast lane forwards callbacks for slow endpoints to the slow lane, which attempts all of its callbacks. */
type Lane = { name: 'fast'; slowQueue: Queue } | { name: 'slow' };

type Connections = {
  lane: Lane;
  client: GuardedClient;
  /** The queue for retries of both lanes. */
  queue: Queue;
  clock: Clock;
  sleepUntil: (atMs: number) => Promise<void>;
  ids: Ids;
  random: Random;
  retrySpeed: number;
  logByDefault: CallbackLog;
};

/** Builds the stores on one table, once per instance: the result caches what is known about endpoints. */
export function deliveryDeps({ table, ...connections }: Connections & { table: Table }) {
  const endpoints = endpointStore(table);
  const views = endpointViews({ ...connections, endpoints });
  return {
    ...connections,
    health: endpointHealth({ ...connections, endpoints, views }),
    pace: endpointPace({ ...connections, table, views }),
    callbacks: callbackStore(table),
    failedCallbacks: failedCallbacks(table),
    delivered: deliveredLog(table, connections.clock),
    parked: parkedStore(table),
    responseTimes: responseTimes(connections),
  };
}

export type DeliveryDeps = ReturnType<typeof deliveryDeps>;

export function deployedDeps(): DeliveryDeps {
  return deliveryDeps({
    table: connectTable(readEnv('TABLE_NAME')),
    clock,
    sleepUntil,
    lane: laneOf(readEnv('CALLBACKS_LANE')),
    queue: connectQueue(readEnv('CALLBACKS_QUEUE_URL')),
    client: guardedClient(addressPolicy(readEnv('CALLBACK_ADDRESSES'))),
    ids,
    random: randomFrom(ids),
    retrySpeed: retrySpeed(readEnv('CALLBACK_RETRY_SPEED')),
    logByDefault: logByDefault(readEnv('WALLET')),
  });
}

/** Reads CALLBACKS_LANE. Both lanes run this code, and only the fast lane has the URL of the slow lane's queue. */
function laneOf(name: string): Lane {
  if (name === 'slow') return { name };
  if (name !== 'fast') throw new Error(`CALLBACKS_LANE is no lane: ${name}`);
  return { name, slowQueue: connectQueue(readEnv('SLOW_CALLBACKS_QUEUE_URL')) };
}
