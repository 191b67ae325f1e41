import { addressOf } from '../../shared/push/message-id.ts';
import { bulkIdOf, bulkKey, type Key, messageKey } from '../../shared/table/keys.ts';
import { readAll } from '../../shared/table/read-all.ts';
import { kindOf } from '../../shared/table/row-kinds.ts';
import type { Table } from '../../shared/table/table.ts';
import type { Row } from '../../shared/table/write-all.ts';

export interface Whose {
  readonly partnerId: string;
  /** May grow while rows are looked at. */
  readonly offerIds: ReadonlySet<string>;
}

const uuids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Finds the partner's rows in a page. Parts of bulk sends and parked messages need a look at other rows. */
export async function ownedRows(table: Table, whose: Whose, page: readonly Row[]): Promise<Row[]> {
  const sends = await ownersOf(table, page.flatMap(headsOf));
  return page.filter((row) => isOwned(row, whose, sends));
}

function isOwned(row: Row, whose: Whose, sends: ReadonlyMap<string, unknown>): boolean {
  const { kind, owner = '' } = kindOf(row);
  const headIsOwned = () => headsOf(row).some(({ pk }) => sends.get(pk) === whose.partnerId);
  switch (kind.owner) {
    case 'partner in key':
      return owner === whose.partnerId;
    case 'offer in key':
      return whose.offerIds.has(owner);
    case 'partner in row':
      return row['partnerId'] === whose.partnerId;
    case 'its bulk send':
      return headIsOwned();
    case 'its text':
      return names(textOf(row), whose) || headIsOwned();
    case 'nobody':
      return false;
  }
}

function textOf(row: Row): string {
  return String(row['body'] ?? '');
}

/** The rows that say whose a part is, or whose messages a parked text is about. */
function headsOf(row: Row): Key[] {
  const { kind } = kindOf(row);
  if (kind.owner === 'its bulk send') return [bulkKey(bulkIdOf(row))];
  if (kind.owner !== 'its text') return [];
  return [...new Set(textOf(row).match(uuids))].flatMap((id) => {
    const address = addressOf(id);
    if (!address) return [];
    return [address.kind === 'single' ? messageKey(id) : bulkKey(address.bulkId)];
  });
}

async function ownersOf(table: Table, heads: readonly Key[]): Promise<Map<string, unknown>> {
  const distinct = [...new Map(heads.map((key) => [key.pk, key])).values()];
  const rows = await readAll(table, distinct, { consistent: true });
  return new Map(rows.map((row) => [String(row['pk']), row['partnerId']]));
}

/** JSON that may be cut off, escaped once more, or hold the table's typed values: `"offerId":{"S":"..."}`. */
function names(text: string, { partnerId, offerIds }: Whose): boolean {
  const quote = String.raw`\\*"`;
  const member = (name: string, id: string) =>
    `${quote}${name}${quote}\\s*:\\s*(?:\\{\\s*${quote}S${quote}\\s*:\\s*)?${quote}${id.replaceAll('.', '\\.')}${quote}`;
  const any = [member('partnerId', partnerId), ...[...offerIds].map((id) => member('offerId', id))];
  return new RegExp(any.join('|')).test(text);
}
