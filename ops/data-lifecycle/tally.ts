import { rowKinds } from '../../shared/table/row-kinds.ts';
import { plainTable } from '../cli/plain-table.ts';

/** How many rows of each kind, in the order of the kinds. */
export function tally() {
  const counts = new Map<string, number>();
  return {
    add: (kind: string, count = 1): void => {
      counts.set(kind, (counts.get(kind) ?? 0) + count);
    },
    of: (kind: string): number => counts.get(kind) ?? 0,
    total: (): number => [...counts.values()].reduce((sum, count) => sum + count, 0),
    json: (): Record<string, number> =>
      Object.fromEntries(
        rowKinds.flatMap(({ name }) => (counts.has(name) ? [[name, counts.get(name) ?? 0]] : [])),
      ),
  };
}

export type Tally = ReturnType<typeof tally>;

/** A table of kinds, with a column for each tally; kinds that no tally has are left out. */
export function tallyTable(columns: Readonly<Record<string, Tally>>): string {
  return plainTable(
    ['kind', ...Object.keys(columns)],
    rowKinds
      .filter(({ name }) => Object.values(columns).some((one) => one.of(name) > 0))
      .map(({ name }) => [
        name,
        ...Object.values(columns).map((one) => one.of(name).toLocaleString('en-US')),
      ]),
  );
}
