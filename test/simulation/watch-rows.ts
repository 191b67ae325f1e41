import { isDeepStrictEqual } from 'node:util';
import { kindOf, type RowKindName } from '../../shared/platform/table/row-kinds.ts';
import type { SimulatedTable } from './core/table-engine.ts';

export type Row = { pk: string; sk: string } & Record<string, unknown>;

/** A row after a write. `row` is missing if the write deleted it. */
export type Version = {
  atMs: number;
  row: Row | undefined;
};

/** The versions of one row, oldest first. */
export type RowHistory = readonly Version[];

type Key = Pick<Row, 'pk' | 'sk'>;
type Write = { Key?: Key; Item?: Key };
type Input = Write & { TransactItems?: readonly Record<string, Write>[] };

const writes = /^(?:Put|Update|Delete|TransactWrite)Item/;

function keysIn({ TransactItems, ...write }: Input): Key[] {
  const all = TransactItems?.flatMap((item) => Object.values(item)) ?? [write];
  return all.flatMap(({ Key, Item }) => Key ?? Item ?? []);
}

/** Returns the history of the only row that a partition has of some kind; it is empty if that was never written. */
export function historyIn(histories: readonly RowHistory[], partition: string): RowHistory {
  return histories.find(([first]) => first?.row?.pk === partition) ?? [];
}

/**
 * Records every version of the rows of some kinds. Batch writes are ignored, because they write no row of these kinds.
 */
export function watchRows(table: SimulatedTable, now: () => number, kinds: readonly RowKindName[]) {
  const histories = new Map<RowKindName, Map<string, Version[]>>(kinds.map((kind) => [kind, new Map()]));
  const { call } = table;

  table.call = async (operation, input) => {
    const answer = await call(operation, input);
    for (const { pk, sk } of writes.test(operation) ? keysIn(input as Input) : []) {
      const known = histories.get(kindOf({ pk, sk }).kind.name);
      if (!known) continue;
      // The engine makes one call at a time, so this read returns what the write left.
      const asked = { TableName: table.name, Key: { pk, sk }, ConsistentRead: true };
      const { Item } = (await call('GetItem', asked)) as { Item?: Row };
      const history = known.get(`${pk} ${sk}`) ?? [];
      known.set(`${pk} ${sk}`, history);
      // A transaction that the table has already made changes nothing.
      const isNew = history.length === 0 || !isDeepStrictEqual(history.at(-1)?.row, Item);
      if (isNew) history.push({ atMs: now(), row: Item });
    }
    return answer;
  };

  return (kind: RowKindName): readonly RowHistory[] => [...(histories.get(kind)?.values() ?? [])];
}
