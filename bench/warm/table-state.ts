import { isDeepStrictEqual } from 'node:util';
import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { type Row, writeAll } from '../../shared/platform/table/batches.ts';
import type { Table } from '../../shared/platform/table/table.ts';

export type TableState = ReadonlyMap<string, Row>;

const separator = '\u0000';

/** Reads all rows of the table, which is small here. */
export async function readState(table: Table): Promise<TableState> {
  const rows = new Map<string, Row>();
  const pages = paginateScan({ client: table.client }, { TableName: table.name, ConsistentRead: true });
  for await (const { Items = [] } of pages)
    for (const row of Items as Row[]) rows.set(`${row.pk}${separator}${row.sk}`, row);
  return rows;
}

/** The names of rows that differ, or are in only one of the two. */
export function differences(one: TableState, other: TableState): string[] {
  return [...new Set([...one.keys(), ...other.keys()])].filter(
    (name) => !isDeepStrictEqual(one.get(name), other.get(name)),
  );
}

/** Puts the table back into a state, so that every batch finds the same rows. */
export async function restore(table: Table, wanted: TableState): Promise<void> {
  const writes = differences(wanted, await readState(table)).map((name) => {
    const put = wanted.get(name);
    const [pk = '', sk = ''] = name.split(separator);
    return put ? { put } : { delete: { pk, sk } };
  });
  await writeAll(table, writes);
}
