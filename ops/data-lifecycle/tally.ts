import type { RowKey } from '../../shared/platform/table/row-keys/row-key.ts';
import { kindOf, type RowKindName, rowKinds } from '../../shared/platform/table/row-kinds.ts';
import { counted, plainTable } from '../cli/formats.ts';
import type { CapacityMeter } from './capacity-meter.ts';

/** Counts rows by kind. */
export class Tally {
  readonly #counts = new Map<RowKindName, number>();

  add(row: RowKey): void {
    const { name } = kindOf(row).kind;
    this.#counts.set(name, this.of(name) + 1);
  }

  of(kind: RowKindName): number {
    return this.#counts.get(kind) ?? 0;
  }

  total(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }

  toJSON(): Record<string, number> {
    const found = rowKinds.filter(({ name }) => this.#counts.has(name));
    return Object.fromEntries(found.map(({ name }) => [name, this.of(name)]));
  }
}

/** A table of kinds, with a column for each tally; kinds that no tally has are left out. */
export function tallyTable(columns: Readonly<Record<string, Tally>>): string {
  const tallies = Object.values(columns);
  const found = rowKinds.filter(({ name }) => tallies.some((tally) => tally.of(name) > 0));
  const rows = found.map(({ name }) => [name, ...tallies.map((one) => one.of(name).toLocaleString('en-US'))]);
  return plainTable(['kind', ...Object.keys(columns)], rows);
}

/** Lines of text, without those that are not needed. */
export function joined(...lines: (string | undefined)[]): string {
  return lines.filter((line) => line !== undefined).join('\n');
}

export function unitsLine({ used }: CapacityMeter): string {
  return `It took ${counted(used.read, 'read unit')} and ${counted(used.write, 'write unit')}.`;
}

/** The rows that an erasure found, by kind, and the units it used. */
export function rowsAndUnits(rows: Tally, meter: CapacityMeter): string {
  return [...(rows.total() > 0 ? [tallyTable({ rows })] : []), unitsLine(meter)].join('\n\n');
}
