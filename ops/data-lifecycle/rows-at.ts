import type { Key } from '../../shared/platform/table/keys.ts';
import { readAll } from '../../shared/platform/table/read-all.ts';
import type { Table } from '../../shared/platform/table/table.ts';
import type { Row } from '../../shared/platform/table/write-all.ts';

export type RowsById = ReadonlyMap<string, Row>;

/** The name of a key in a map or set, where objects would not be equal. */
export function idOf({ pk, sk }: Key): string {
  return `${pk} ${sk}`;
}

/** Reads the rows that exist under these keys, which may repeat. */
export async function rowsAt(table: Table, keys: readonly Key[]): Promise<RowsById> {
  const distinct = new Map(keys.map(({ pk, sk }) => [idOf({ pk, sk }), { pk, sk }]));
  const rows = (await readAll(table, [...distinct.values()], { consistent: true })) as Row[];
  return new Map(rows.map((row) => [idOf(row), row]));
}
