import { placeStore } from '../../shared/places/place-store.ts';
import { syncSessionStore } from '../../shared/places/sync-session-store.ts';
import { systemClock as clock } from '../../shared/runtime/clock.ts';
import { readEnv } from '../../shared/runtime/env.ts';
import { connectTable } from '../../shared/table/table.ts';
import { processSlice } from './process-slice.ts';

const table = connectTable(readEnv('TABLE_NAME').TABLE_NAME);
export const handler = processSlice({ places: placeStore(table), sessions: syncSessionStore(table), clock });
