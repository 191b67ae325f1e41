import { checkInStore } from '../../shared/check-ins/check-in-store.ts';
import { idempotencyStore } from '../../shared/http/idempotency-store.ts';
import { placeStore } from '../../shared/places/place-store.ts';
import { systemClock as clock } from '../../shared/runtime/clock.ts';
import { readEnv } from '../../shared/runtime/env.ts';
import { connectTable } from '../../shared/table/table.ts';
import { listCheckIns } from './list-check-ins.ts';

const table = connectTable(readEnv('TABLE_NAME').TABLE_NAME);
const [checkIns, places] = [checkInStore(table), placeStore(table)];
export const handler = listCheckIns({ checkIns, places, clock, idempotency: idempotencyStore(table) });
