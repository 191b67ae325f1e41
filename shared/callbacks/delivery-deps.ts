import { type ParkedStore, parkedStore } from '../queues/parked-store.ts';
import type { Queue } from '../queues/send-all.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Ids } from '../runtime/ids.ts';
import type { Table } from '../table/table.ts';
import { type CallbackStore, callbackStore } from './callback-store.ts';
import { type Chance, chanceFrom } from './chance.ts';
import { type DeliveredLog, deliveredLog } from './delivered-log.ts';
import type { CallbackLog } from './endpoint.ts';
import { type EndpointHealth, endpointHealth } from './endpoint-health.ts';
import { type EndpointSpeed, endpointSpeed } from './endpoint-speed.ts';
import { endpointStore } from './endpoint-store.ts';
import type { GuardedClient } from './guarded-client.ts';

/**
 * The fast lane forwards callbacks to slow endpoints to the queue of the slow lane, which attempts everything.
 */
export type Lane = { name: 'fast'; slowQueue: Queue } | { name: 'slow' };

export type DeliveryDeps = {
  lane: Lane;
  speed: EndpointSpeed;
  health: EndpointHealth;
  callbacks: CallbackStore;
  delivered: DeliveredLog;
  logByDefault: CallbackLog;
  client: GuardedClient;
  /** Retries are sent there, whichever lane made the attempt. */
  queue: Queue;
  parked: ParkedStore;
  clock: Clock;
  ids: Ids;
  chance: Chance;
  /** Divides the waits between attempts: 1 wherever partners are real. */
  retrySpeed: number;
};

type Connection = 'lane' | 'client' | 'queue' | 'clock' | 'ids' | 'retrySpeed' | 'logByDefault';
type Connections = Pick<DeliveryDeps, Connection> & { table: Table };

/** Builds the stores on one table. Made once in an instance: it caches what is known of endpoints. */
export function deliveryDeps({ table, ...connections }: Connections): DeliveryDeps {
  const chance = chanceFrom(connections.ids);
  return {
    ...connections,
    health: endpointHealth({ ...connections, endpoints: endpointStore(table) }),
    callbacks: callbackStore(table),
    delivered: deliveredLog(table),
    parked: parkedStore(table),
    chance,
    speed: endpointSpeed({ ...connections, chance }),
  };
}
