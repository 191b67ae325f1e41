import { idempotencyStore } from '../../shared/http/idempotency-store.ts';
import { acceptanceGate } from '../../shared/places/acceptance-gate.ts';
import { syncSessionStore } from '../../shared/places/sync-session-store.ts';
import { connectQueue } from '../../shared/queues/queue.ts';
import { systemClock as clock } from '../../shared/runtime/clock.ts';
import { readEnv } from '../../shared/runtime/env.ts';
import { systemIds as ids } from '../../shared/runtime/ids.ts';
import { connectTable } from '../../shared/table/table.ts';
import { startSync } from './start-sync.ts';

const env = readEnv('TABLE_NAME', 'PLACES_QUEUE_URL');
const table = connectTable(env.TABLE_NAME);
const queue = connectQueue(env.PLACES_QUEUE_URL);
const [gate, sessions] = [acceptanceGate(table, clock), syncSessionStore(table)];
export const handler = startSync({ gate, sessions, queue, ids, clock, idempotency: idempotencyStore(table) });
