import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { backoff } from '../../shared/runtime/backoff.ts';
import { conditional } from '../../shared/table/condition.ts';
import { accountKey, type Key, parkedPartition, partnerKey } from '../../shared/table/keys.ts';
import { kindOf, parkedQueues } from '../../shared/table/row-kinds.ts';
import type { Table } from '../../shared/table/table.ts';
import { transactional } from '../../shared/table/transactional.ts';
import { type Row, writeAll } from '../../shared/table/write-all.ts';
import type { Meter } from './meter.ts';
import { ownedRows } from './owners.ts';
import { pagesOf } from './pages.ts';
import { type Tally, tally } from './tally.ts';

export interface Erasure {
  readonly partnerId: string;
  /** Absent when the register no longer has the partner: an earlier run came to its end. */
  readonly login?: string;
  readonly offerIds: readonly string[];
  readonly dryRun: boolean;
  readonly progress?: (seen: number, found: number) => void;
}

export type Erased =
  | { outcome: 'erased'; rows: Tally; offerIds: string[] }
  /** Somebody enabled the partner meanwhile; its register entries and offers stay. */
  | { outcome: 'enabled meanwhile'; rows: Tally };

/** What leads to the rest. It goes last, so that a run that was stopped can be repeated. */
const registerKinds = new Set(['account', 'partner entry', 'offer']);

/**
 * Deletes every row of a partner that was disabled. Nothing leads from a partner to its rows but their keys, so
 * the whole table is read. An offer that only its own row knows of is found on the way: then once more.
 */
export async function erasePartner(table: Table, meter: Meter, erasure: Erasure): Promise<Erased> {
  const { partnerId, login, dryRun } = erasure;
  const offerIds = new Set(erasure.offerIds);
  const register = new Map<string, Row>();
  let rows = tally();
  const state = { table, meter, erasure, offerIds, register };
  // First, while the messages are there that say whose a parked receipt is.
  if (!dryRun) for (const queue of parkedQueues) await sweep({ ...state, rows }, parkedPartition(queue));
  for (let known = -1; known < offerIds.size; ) {
    known = offerIds.size;
    // What a dry run saw is still there, and must not count twice.
    if (dryRun) rows = tally();
    await sweep({ ...state, rows });
  }
  for (const row of register.values()) rows.add(kindOf(row).kind.name);
  if (dryRun) return { outcome: 'erased', rows, offerIds: [...offerIds] };
  const gone = await eraseRegister(table, { partnerId, login, rows: [...register.values()] });
  return gone ? { outcome: 'erased', rows, offerIds: [...offerIds] } : { outcome: 'enabled meanwhile', rows };
}

interface Sweep {
  readonly table: Table;
  readonly meter: Meter;
  readonly erasure: Erasure;
  readonly offerIds: Set<string>;
  readonly rows: Tally;
  readonly register: Map<string, Row>;
}

async function sweep(state: Sweep, partition?: string): Promise<void> {
  const { table, meter, erasure, offerIds, rows, register } = state;
  let seen = 0;
  for await (const page of pagesOf(table, meter, partition)) {
    const owned = await ownedRows(table, { partnerId: erasure.partnerId, offerIds }, page);
    const data: Row[] = [];
    for (const row of owned) {
      const { name } = kindOf(row).kind;
      if (name === 'offer') offerIds.add(String(row['offerId']));
      if (registerKinds.has(name)) register.set(`${row.pk} ${row.sk}`, row);
      else data.push(row);
    }
    if (!erasure.dryRun) await remove(table, data);
    for (const row of data) rows.add(kindOf(row).kind.name);
    seen += page.length;
    erasure.progress?.(seen, rows.total());
  }
}

/** A bulk send goes after its parts: without it nobody could say whose they are. */
async function remove(table: Table, rows: readonly Row[]): Promise<void> {
  const isSend = (row: Row) => kindOf(row).kind.name === 'bulk send';
  const deletes = (some: readonly Row[]) => some.map(({ pk, sk }) => ({ delete: { pk, sk } }));
  await writeAll(table, deletes(rows.filter((row) => !isSend(row))));
  await writeAll(table, deletes(rows.filter(isSend)));
}

type Register = { partnerId: string; login: string | undefined; rows: readonly Row[] };

/** Offers and accounts may have been given to another partner since they were read: each is asked once more. */
async function eraseRegister(table: Table, { partnerId, login, rows }: Register): Promise<boolean> {
  const last = login === undefined ? [] : [accountKey(login), partnerKey(partnerId)].map(({ pk }) => pk);
  for (const row of rows.filter(({ pk }) => !last.includes(pk))) {
    const removed = await removeOwn(table, row, partnerId);
    if (!removed && kindOf(row).kind.name === 'account') return false;
  }
  if (login === undefined) return true;
  const written = await transactional(
    table,
    [
      {
        Delete: {
          TableName: table.name,
          Key: accountKey(login),
          ConditionExpression: 'disabled = :yes AND partnerId = :partnerId',
          ExpressionAttributeValues: { ':yes': true, ':partnerId': partnerId },
        },
      },
      { Delete: { TableName: table.name, Key: partnerKey(partnerId) } },
    ],
    backoff(),
  );
  return written.held;
}

async function removeOwn(table: Table, { pk, sk }: Key, partnerId: string): Promise<boolean> {
  const removed = await conditional(
    table.client.send(
      new DeleteCommand({
        TableName: table.name,
        Key: { pk, sk },
        ConditionExpression: 'partnerId = :partnerId AND (attribute_not_exists(disabled) OR disabled = :yes)',
        ExpressionAttributeValues: { ':partnerId': partnerId, ':yes': true },
      }),
    ),
  );
  return removed.held;
}
