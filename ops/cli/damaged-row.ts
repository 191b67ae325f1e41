import * as z from 'zod/mini';
import { quoted } from '../../local/running-service.ts';
import { Endpoint } from '../../shared/callbacks/endpoint/endpoint.ts';
import { CallbackRow } from '../../shared/callbacks/rows/callback-store.ts';
import { Event } from '../../shared/events/event.ts';
import { Offer, PartnerEntry, StoredKey } from '../../shared/partners/partner-rows.ts';
import type { Row } from '../../shared/platform/table/batches.ts';
import { partnersPartition } from '../../shared/platform/table/row-keys/partners.ts';
import { type RowKey, rowId } from '../../shared/platform/table/row-keys/row-key.ts';
import { kindOf, type RowKindName } from '../../shared/platform/table/row-kinds.ts';
import type { Table } from '../../shared/platform/table/table.ts';
import { formatIssues, parse } from '../../shared/platform/validation/format-issues.ts';

/** The kinds that commands parse, most of them several rows at once: their schemas say which row is damaged, and how. */
const schemas: Partial<Record<RowKindName, z.ZodMiniType>> = {
  key: StoredKey,
  'partner entry': PartnerEntry,
  offer: Offer,
  endpoint: Endpoint,
  callback: CallbackRow,
  event: Event,
};

/** The options with which `npm run restore` puts back a row. */
export function restoreOptions({ pk, sk }: RowKey): string {
  return pk === partnersPartition ? `--partner ${quoted(sk)} --kind 'partner entry'` : `--rows ${quoted(pk)}`;
}

/** Returns a function that says of an error by which row it was caused, if it was one of those that were read last. */
export function watchReads({ client }: Table): (error: unknown) => string | undefined {
  let read: Row[] = [];
  client.middlewareStack.add(
    (next) => async (call) => {
      const done = await next(call);
      const { Item, Items, Responses } = done.output as Output;
      const rows = Item ? [Item] : (Items ?? (Responses && Object.values(Responses).flat()));
      if (rows) read = rows;
      return done;
    },
    { step: 'initialize' },
  );
  return (error) => {
    if (!(error instanceof z.core.$ZodError)) return undefined;
    const [at] = error.issues[0]?.path ?? [];
    const suspects = typeof at === 'number' ? read.slice(at, at + 1) : read;
    const checked = suspects.map((row) => {
      const schema = schemas[kindOf(row).kind.name];
      return { row, result: schema && parse(schema, row) };
    });
    const refused = checked.find(({ result }) => result?.success === false);
    const { row, result } = refused ?? checked.find((one) => !one.result) ?? {};
    return row && damagedSentence(row, formatIssues(result?.error ?? error).join(', '));
  };
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
