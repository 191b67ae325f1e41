import { alertsEndpointOf } from '../../shared/callbacks/alerts-endpoint.ts';
import { type Row, readAll } from '../../shared/platform/table/batches.ts';
import { bulkKey } from '../../shared/platform/table/row-keys/push.ts';
import { distinctKeys, idIn, type RowKey, rowId } from '../../shared/platform/table/row-keys/row-key.ts';
import { kindOf, type RowKindName } from '../../shared/platform/table/row-kinds.ts';
import type { Table } from '../../shared/platform/table/table.ts';
import { parseMessageId, sendKey } from '../../shared/push/message-id.ts';

export type Owner = {
  partnerId: string;
  /** May grow while rows are read. */
  offerIds: ReadonlySet<string>;
};

const uuids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Finds the partner's rows in a page. For parts of bulk sends and parked messages it reads other rows. */
export async function ownedRows(table: Table, owner: Owner, page: readonly Row[]): Promise<Row[]> {
  const heads = await rowsAt(table, page.flatMap(headsOf));
  return page.filter((row) => isOwned(row, owner, heads));
}

function isOwned(row: Row, owner: Owner, heads: RowsById): boolean {
  const { kind, owner: idInKey = '' } = kindOf(row);
  const headIsOwned = () =>
    headsOf(row).some((key) => heads.get(rowId(key))?.['partnerId'] === owner.partnerId);
  switch (kind.owner) {
    case 'partner in key':
      return idInKey === owner.partnerId;
    case 'offer in key':
      return owner.offerIds.has(idInKey);
    case 'partner in row':
      return row['partnerId'] === owner.partnerId;
    case 'its bulk send':
      return headIsOwned();
    case 'its text':
      return mentions(textOf(row), owner) || headIsOwned();
    case 'nobody':
      return false;
  }
}

function textOf(row: Row): string {
  return String(row['body'] ?? '');
}

/** The rows that name the owner of a part, or of the messages that a parked text mentions. */
function headsOf(row: Row): RowKey[] {
  const { kind } = kindOf(row);
  if (kind.owner === 'its bulk send') return [bulkKey(idIn(row))];
  if (kind.owner !== 'its text') return [];
  return [...new Set(textOf(row).match(uuids))].flatMap((id) => {
    const address = parseMessageId(id);
    return address ? [sendKey(address.sendId)] : [];
  });
}

/** Finds the partner's ids in JSON that may be cut off, escaped twice, or typed: `"offerId":{"S":"..."}`. */
function mentions(text: string, { partnerId, offerIds }: Owner): boolean {
  const quote = String.raw`\\*"`;
  const member = (name: string, id: string) =>
    `${quote}${name}${quote}\\s*:\\s*(?:\\{\\s*${quote}S${quote}\\s*:\\s*)?${quote}${id.replaceAll('.', '\\.')}${quote}`;
  // Callbacks in parked texts may be alerts.
  const endpoints = [partnerId, alertsEndpointOf(partnerId)].map((id) => member('partnerId', id));
  const any = [...endpoints, ...[...offerIds].map((id) => member('offerId', id))];
  return new RegExp(any.join('|')).test(text);
}

export function nameOf(row: Row): RowKindName {
  return kindOf(row).kind.name;
}

export type RowsById = ReadonlyMap<string, Row>;

/** Reads the rows that exist under these keys, which may repeat. */
export async function rowsAt(table: Table, keys: readonly RowKey[]): Promise<RowsById> {
  const distinct = distinctKeys(keys.map(({ pk, sk }) => ({ pk, sk })));
  const rows = (await readAll(table, distinct, { consistent: true })) as Row[];
  return new Map(rows.map((row) => [rowId(row), row]));
}
