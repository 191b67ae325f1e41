import { idempotencyStore } from '../../shared/http/idempotency-store.ts';
import { syncSessionStore } from '../../shared/places/sync-session-store.ts';
import { systemClock as clock } from '../../shared/runtime/clock.ts';
import { readEnv } from '../../shared/runtime/env.ts';
import { connectTable } from '../../shared/table/table.ts';
import { getSync } from './get-sync.ts';

const table = connectTable(readEnv('TABLE_NAME').TABLE_NAME);
export const handler = getSync({
  sessions: syncSessionStore(table),
  clock,
  idempotency: idempotencyStore(table),
});
