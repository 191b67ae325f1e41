import { syncSessionStore } from '../../shared/places/sync-session-store.ts';
import { parkedStore } from '../../shared/queues/parked-store.ts';
import { systemClock as clock } from '../../shared/runtime/clock.ts';
import { readEnv } from '../../shared/runtime/env.ts';
import { connectTable } from '../../shared/table/table.ts';
import { endFailedSlice } from './end-failed-slice.ts';

const table = connectTable(readEnv('TABLE_NAME').TABLE_NAME);
export const handler = endFailedSlice({
  sessions: syncSessionStore(table),
  parked: parkedStore(table),
  clock,
});
