import { type ParkedStore, parkedStore } from '../queues/parked-store.ts';
import type { Queue } from '../queues/send-all.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Ids } from '../runtime/ids.ts';
import type { Table } from '../table/table.ts';
import { type CallbackStore, callbackStore } from './callback-store.ts';
import { type Chance, chanceFrom } from './chance.ts';
import { type EndpointHealth, endpointHealth } from './endpoint-health.ts';
import { type EndpointSpeed, endpointSpeed } from './endpoint-speed.ts';
import { endpointStore } from './endpoint-store.ts';
import type { GuardedClient } from './guarded-client.ts';

/** The fast lane hands what would hold it up to the queue of the slow one; there everything is attempted. */
export type Lane = { name: 'fast'; slowQueue: Queue } | { name: 'slow' };

/** What an attempt stands on. */
export type DeliveryDeps = {
  lane: Lane;
  speed: EndpointSpeed;
  health: EndpointHealth;
  callbacks: CallbackStore;
  client: GuardedClient;
  /** Retries go there, whichever lane made the attempt. */
  queue: Queue;
  parked: ParkedStore;
  clock: Clock;
  ids: Ids;
  chance: Chance;
  /** Divides the waits between attempts: 1 wherever partners are real. */
  retrySpeed: number;
};

type Outside = Pick<DeliveryDeps, 'lane' | 'client' | 'queue' | 'clock' | 'ids' | 'retrySpeed'> & {
  table: Table;
};

/** Builds the stores around one table. Made once for an instance: it holds what is known of endpoints. */
export function deliveryDeps({ table, ...outside }: Outside): DeliveryDeps {
  const chance = chanceFrom(outside.ids);
  return {
    ...outside,
    health: endpointHealth({ ...outside, endpoints: endpointStore(table) }),
    callbacks: callbackStore(table),
    parked: parkedStore(table),
    chance,
    speed: endpointSpeed({ ...outside, chance }),
  };
}
