import { idempotencyStore } from '../../shared/http/idempotency-store.ts';
import { partnerStore } from '../../shared/partners/partner-store.ts';
import { placeStore } from '../../shared/places/place-store.ts';
import { systemClock as clock } from '../../shared/runtime/clock.ts';
import { readEnv } from '../../shared/runtime/env.ts';
import { connectTable } from '../../shared/table/table.ts';
import { listWalletPlaces } from './list-places.ts';

const table = connectTable(readEnv('TABLE_NAME').TABLE_NAME);
const [places, partners] = [placeStore(table), partnerStore(table)];
export const handler = listWalletPlaces({ places, partners, clock, idempotency: idempotencyStore(table) });
