import { type RowKindName, rowKinds } from '../../shared/platform/table/row-kinds.ts';
import { plainTable } from '../cli/formats.ts';
import { type CapacityMeter, unitsLine } from './capacity-meter.ts';

/** Counts rows by kind. */
export class Tally {
  readonly #counts = new Map<RowKindName, number>();

  add(kind: RowKindName): void {
    this.#counts.set(kind, this.of(kind) + 1);
  }

  of(kind: RowKindName): number {
    return this.#counts.get(kind) ?? 0;
  }

  total(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }

  toJSON(): Record<string, number> {
    const counted = rowKinds.filter(({ name }) => this.#counts.has(name));
    return Object.fromEntries(counted.map(({ name }) => [name, this.of(name)]));
  }
}

/** A table of kinds, with a column for each tally; kinds that no tally has are left out. */
export function tallyTable(columns: Readonly<Record<string, Tally>>): string {
  const tallies = Object.values(columns);
  return plainTable(
    ['kind', ...Object.keys(columns)],
    rowKinds
      .filter(({ name }) => tallies.some((tally) => tally.of(name) > 0))
      .map(({ name }) => [name, ...tallies.map((tally) => tally.of(name).toLocaleString('en-US'))]),
  );
}

/** The rows that an erasure found, by kind, and the units it used. */
export function rowsAndUnits(rows: Tally, meter: CapacityMeter): string {
  return [...(rows.total() > 0 ? [tallyTable({ rows })] : []), unitsLine(meter)].join('\n\n');
}
