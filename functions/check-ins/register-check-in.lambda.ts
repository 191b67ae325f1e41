import { checkInStore } from '../../shared/check-ins/check-in-store.ts';
import { idempotencyStore } from '../../shared/http/idempotency-store.ts';
import { systemClock as clock } from '../../shared/runtime/clock.ts';
import { readEnv } from '../../shared/runtime/env.ts';
import { connectTable } from '../../shared/table/table.ts';
import { registerCheckIn } from './register-check-in.ts';

const table = connectTable(readEnv('TABLE_NAME').TABLE_NAME);
export const handler = registerCheckIn({
  checkIns: checkInStore(table),
  clock,
  idempotency: idempotencyStore(table),
});
