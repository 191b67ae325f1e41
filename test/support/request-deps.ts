import { liveKeys } from '../../shared/partners/live-key.ts';
import { partnerStore } from '../../shared/partners/partner-store.ts';
import { idempotencyStore } from '../../shared/platform/http/idempotency.ts';
import { requestBudgets } from '../../shared/platform/limits/request-budget.ts';
import type { Clock } from '../../shared/platform/runtime/clock.ts';
import { systemIds } from '../../shared/platform/runtime/ids.ts';
import type { Table } from '../../shared/platform/table/table.ts';

/** Makes the dependencies that the functions behind all HTTP routes share, on one table. */
export function requestDeps<OwnClock extends Clock>(table: Table, clock: OwnClock) {
  return {
    clock,
    ids: systemIds,
    idempotency: idempotencyStore(table),
    budgets: requestBudgets(table),
    keys: liveKeys(table),
    partners: partnerStore(table),
  };
}
