import { checkInStore } from '../../shared/check-ins/check-in-store.ts';
import { idempotencyStore } from '../../shared/http/idempotency-store.ts';
import { partnerStore } from '../../shared/partners/partner-store.ts';
import { placeStore } from '../../shared/places/place-store.ts';
import { systemClock as clock } from '../../shared/runtime/clock.ts';
import { readEnv } from '../../shared/runtime/env.ts';
import { systemIds as ids } from '../../shared/runtime/ids.ts';
import { connectTable } from '../../shared/table/table.ts';
import { openCheckIn } from './open-check-in.ts';

const table = connectTable(readEnv('TABLE_NAME').TABLE_NAME);
const [checkIns, places, partners] = [checkInStore(table), placeStore(table), partnerStore(table)];
export const handler = openCheckIn({
  checkIns,
  places,
  partners,
  ids,
  clock,
  idempotency: idempotencyStore(table),
});
