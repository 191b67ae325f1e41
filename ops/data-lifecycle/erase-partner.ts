import { deleteAll, type Row } from '../../shared/platform/table/batches.ts';
import { loginKey, partnerKey } from '../../shared/platform/table/row-keys/partners.ts';
import { rowId } from '../../shared/platform/table/row-keys/row-key.ts';
import { parkedPartition } from '../../shared/platform/table/row-keys/workers.ts';
import { parkedQueues, type RowKindName } from '../../shared/platform/table/row-kinds.ts';
import { deleteIf, returned, still } from '../../shared/platform/table/rows.ts';
import type { Table } from '../../shared/platform/table/table.ts';
import { transactional } from '../../shared/platform/table/transactional.ts';
import type { CapacityMeter } from './capacity-meter.ts';
import { nameOf, ownedRows } from './owned-rows.ts';
import { Tally } from './tally.ts';

export type PartnerErasure = {
  partnerId: string;
  /** Absent if an earlier run has already deleted its keys. */
  login?: string | undefined;
  offerIds: readonly string[];
  dryRun: boolean;
};

/** Rows that lead to all others. They are deleted last, so that an interrupted run can be repeated. */
const identityKinds: ReadonlySet<RowKindName> = new Set(['key', 'partner entry', 'offer']);

/**
 * Deletes every row of a partner that was disabled. Only the keys lead from a partner to its rows, so the whole
 * table is read. An offer that only its own row names is found on the way, and the table is read again for it. If the
 * partner was enabled meanwhile, its first key and offers stay.
 */
export async function erasePartner(table: Table, meter: CapacityMeter, erasure: PartnerErasure) {
  const { partnerId, dryRun } = erasure;
  const offerIds = new Set(erasure.offerIds);
  const identity = new Map<string, Row>();
  let rows = new Tally();

  const sweep = async (partition?: string) => {
    for await (const page of meter.pagesOf(table, partition)) {
      const owned = await ownedRows(table, { partnerId, offerIds }, page);
      const data = owned.filter((row) => !identityKinds.has(nameOf(row)));
      for (const row of owned) {
        if (nameOf(row) === 'offer') offerIds.add(String(row['offerId']));
        if (identityKinds.has(nameOf(row))) identity.set(rowId(row), row);
      }
      if (!dryRun) await deleteData(table, data);
      for (const row of data) rows.add(row);
      meter.found = rows.total();
    }
  };

  // Sweep parked receipts first, while the messages that name their owners exist.
  if (!dryRun) for (const queue of parkedQueues) await sweep(parkedPartition(queue));
  for (let known = -1; known < offerIds.size; ) {
    known = offerIds.size;
    // A dry run finds the same rows again, and must not count them twice.
    if (dryRun) rows = new Tally();
    await sweep();
  }
  for (const row of identity.values()) rows.add(row);
  const isErased = dryRun || (await deleteIdentity(table, erasure, [...identity.values()]));
  return { rows, offerIds: [...offerIds], enabledMeanwhile: !isErased };
}

/** Deletes a bulk send after its parts, because it alone names their owner. */
async function deleteData(table: Table, rows: readonly Row[]): Promise<void> {
  const sends = rows.filter((row) => nameOf(row) === 'bulk send');
  const others = rows.filter((row) => nameOf(row) !== 'bulk send');
  await deleteAll(table, others);
  await deleteAll(table, sends);
}

/**
 * Deletes the keys of a partner that is still disabled, then its offers, which an interrupted run finds again without a
 * key. Every delete checks the owner, because an offer or a login may belong to another partner by now.
 */
async function deleteIdentity(table: Table, erasure: PartnerErasure, rows: readonly Row[]) {
  const { partnerId, login } = erasure;
  const last = login === undefined ? [] : [loginKey(login), partnerKey(partnerId)].map(({ pk }) => pk);
  const first = rows.filter(({ pk }) => !last.includes(pk));
  const others = Map.groupBy(first, nameOf);
  for (const { pk, sk } of others.get('key') ?? []) {
    const deleted = await deleteIf(table, { Key: { pk, sk }, ...still({ partnerId, disabled: true }) });
    // Without a row another run has deleted it, or this call when it was made before.
    if (!deleted.applied && deleted.row) return false;
  }
  if (login !== undefined) {
    const TableName = table.name;
    const ofKey = { TableName, Key: loginKey(login), ...returned, ...still({ partnerId, disabled: true }) };
    const ofEntry = { TableName, Key: partnerKey(partnerId) };
    const deleted = await transactional(table, [{ Delete: ofKey }, { Delete: ofEntry }]);
    // Here too, another run may have deleted it.
    if (!deleted.applied && deleted.existing) return false;
  }
  for (const { pk, sk } of [...(others.get('offer') ?? []), ...(others.get('partner entry') ?? [])])
    await deleteIf(table, { Key: { pk, sk }, ...still({ partnerId }) });
  return true;
}
