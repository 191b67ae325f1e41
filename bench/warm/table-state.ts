import { isDeepStrictEqual } from 'node:util';
import { paginateScan } from '@aws-sdk/lib-dynamodb';
import type { Key } from '../../shared/table/keys.ts';
import type { Table } from '../../shared/table/table.ts';
import { type Row, writeAll } from '../../shared/table/write-all.ts';

export type TableState = ReadonlyMap<string, Row>;

function nameOf({ pk, sk }: Key): string {
  return `${pk}\u0000${sk}`;
}

/** Every row of the table, which is small here. */
export async function stateOf(table: Table): Promise<TableState> {
  const rows = new Map<string, Row>();
  const pages = paginateScan({ client: table.client }, { TableName: table.name, ConsistentRead: true });
  for await (const { Items = [] } of pages) for (const row of Items as Row[]) rows.set(nameOf(row), row);
  return rows;
}

/** Puts back what was changed since, so that the next batch finds what the last one found. */
export async function restore(table: Table, wanted: TableState): Promise<void> {
  const present = await stateOf(table);
  const writes = [
    ...[...wanted]
      .filter(([name, row]) => !isDeepStrictEqual(present.get(name), row))
      .map(([, put]) => ({ put })),
    ...[...present].filter(([name]) => !wanted.has(name)).map(([, { pk, sk }]) => ({ delete: { pk, sk } })),
  ];
  await writeAll(table, writes);
}

/** The names of rows that are in one and not in the other, or differ. */
export function differences(one: TableState, other: TableState): string[] {
  return [...new Set([...one.keys(), ...other.keys()])].filter(
    (name) => !isDeepStrictEqual(one.get(name), other.get(name)),
  );
}
