import * as z from 'zod/mini';
import { quoted } from '../../local/running-service.ts';
import { Endpoint } from '../../shared/callbacks/endpoint/endpoint.ts';
import { CircuitRow } from '../../shared/callbacks/endpoint/endpoint-store.ts';
import { Pace } from '../../shared/callbacks/endpoint/pace-store.ts';
import { CallbackRow } from '../../shared/callbacks/rows/callback-store.ts';
import { Event } from '../../shared/events/event.ts';
import { Offer, PartnerEntry, StoredKey } from '../../shared/partners/partner-rows.ts';
import type { Row } from '../../shared/platform/table/batches.ts';
import { partnersPartition } from '../../shared/platform/table/row-keys/partners.ts';
import { type RowKey, rowId } from '../../shared/platform/table/row-keys/row-key.ts';
import { kindOf, type RowKindName } from '../../shared/platform/table/row-kinds.ts';
import type { Table } from '../../shared/platform/table/table.ts';
import { formatIssues, parse } from '../../shared/platform/validation/format-issues.ts';

/** The kinds that commands parse: their schemas say which row is damaged, and how. */
const schemas: Partial<Record<RowKindName, z.ZodMiniType>> = {
  key: StoredKey,
  'partner entry': PartnerEntry,
  offer: Offer,
  endpoint: Endpoint,
  circuit: CircuitRow,
  pace: Pace,
  callback: CallbackRow,
  event: Event,
};

/** The options with which `npm run restore` puts back a row. */
export function restoreOptions({ pk, sk }: RowKey): string {
  return pk === partnersPartition ? `--partner ${quoted(sk)} --kind 'partner entry'` : `--rows ${quoted(pk)}`;
}

/** Several reads may run at once, and a row may be parsed some reads after its own. */
const remembered = 10;

/**
 * Returns a function that says which row caused an error: one of those that were read last, that its schema refuses for the
 * same reason. A row that is fine must never be named, because an operator may delete it.
 */
export function watchReads({ client }: Table): (error: unknown) => string | undefined {
  const reads: Row[][] = [];
  client.middlewareStack.add(
    (next) => async (call) => {
      const done = await next(call);
      const { Item, Items, Responses } = done.output as Output;
      // A part of a row lacks what its schema requires.
      const isWhole = !('IndexName' in call.input || 'ProjectionExpression' in call.input);
      const rows = Item ? [Item] : (Items ?? (Responses && Object.values(Responses).flat()));
      if (rows && isWhole) reads.splice(0, reads.length, ...[rows, ...reads].slice(0, remembered));
      return done;
    },
    { step: 'initialize' },
  );
  return (error) => {
    if (!(error instanceof z.core.$ZodError)) return undefined;
    const [reason = ''] = reasonsOf(error);
    for (const row of reads.flat()) {
      const result = parse(schemas[kindOf(row).kind.name] ?? z.unknown(), row);
      if (result.success || !reasonsOf(result.error).includes(reason)) continue;
      return damagedSentence(row, formatIssues(result.error).join(', '));
    }
    return undefined;
  };
}

/** What is wrong, and where in a row: rows are parsed one by one or in a list. */
function reasonsOf({ issues }: z.core.$ZodError): string[] {
  return issues.map(({ code, path }) =>
    JSON.stringify([code, typeof path[0] === 'number' ? path.slice(1) : path]),
  );
}

type Output = { Item?: Row; Items?: Row[]; Responses?: Record<string, Row[]> };

/** What to do with a row that is damaged. */
export function remedyOf(row: RowKey): string {
  if (kindOf(row).kind.restored === 'no') return 'Delete it: no restore puts such a row back';
  return `Put it back from a copy of the table, by npm run restore with ${restoreOptions(row)}, or delete it if no copy has it`;
}

function damagedSentence(row: RowKey, what: string): string {
  return `The row ${quoted(rowId(row))} is damaged (${what}). ${remedyOf(row)}.`;
}
