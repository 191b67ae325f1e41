import { capacityMeter } from '../../ops/data-lifecycle/capacity-meter.ts';
import { eraseRecipient } from '../../ops/data-lifecycle/erase-recipient.ts';
import type { Table } from '../../shared/platform/table/table.ts';

/** Erases everything about a phone number, as the command of operators does, without its pauses. */
export function eraseNumber(table: Table, msisdn: number) {
  return eraseRecipient(table, capacityMeter(table, Number.MAX_SAFE_INTEGER), { msisdn, dryRun: false });
}
