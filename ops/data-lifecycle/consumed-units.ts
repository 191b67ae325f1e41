import { consumedIn, unitsOf } from '../../shared/platform/table/consumed-capacity.ts';
import type { Table } from '../../shared/platform/table/table.ts';

/** Read and write units, and the number of calls that used them. */
export interface ConsumedUnits {
  read: number;
  write: number;
  calls: number;
}

/** Counts the units that the table reports for every call of its client from now on. */
export function countUnits({ client }: Pick<Table, 'client'>): ConsumedUnits {
  const units = { read: 0, write: 0, calls: 0 };
  client.middlewareStack.add(
    (next, context) => async (args) => {
      Object.assign(args.input, { ReturnConsumedCapacity: 'TOTAL' });
      const result = await next(args);
      const kind = unitsOf(String(context.commandName).replace(/Command$/, ''));
      if (kind) units[kind] += consumedIn(result.output);
      units.calls += 1;
      return result;
    },
    { step: 'initialize' },
  );
  return units;
}
