import Papa from 'papaparse';
import type { Session } from './points.ts';
import type { List } from './read-list.ts';

type Rejection = { place?: unknown; description: string };

/** Rewords an error of the service, so that it names the row of the file instead of the index in the request. */
export function errorInFile({ place, description }: Rejection, rowOf: List['rowOf']) {
  const [own = '', index] = /^places\[(\d+)\]/.exec(description) ?? [];
  const itemId = (place as { itemId?: unknown } | null)?.itemId;
  return {
    row: index === undefined ? '' : rowOf(Number(index)),
    itemId: typeof itemId === 'string' ? itemId : '',
    description: description
      .replaceAll(own, '')
      .replace(/^: |(?<=^|; )\./g, '')
      .replace(/places\[(\d+)\]/g, (_all, other) => rowOf(Number(other))),
  };
}

export function errorsAsCsv(errors: readonly Rejection[], rowOf: List['rowOf']): string {
  return asCsv(errors.map((error) => ({ ...errorInFile(error, rowOf), place: JSON.stringify(error.place) })));
}

export function remarksAsCsv(remarks: Session['remarks'], rowOf: List['rowOf']): string {
  const rows = remarks.flatMap(({ code, samples }) =>
    samples.map(({ itemId, description }) => ({
      code,
      ...errorInFile({ place: { itemId }, description }, rowOf),
    })),
  );
  return asCsv(rows);
}

/** A cell that a partner sent must not become a formula in Excel. */
function asCsv(rows: object[]): string {
  return Papa.unparse(rows, { escapeFormulae: true });
}
