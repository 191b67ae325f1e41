import { theRun } from './current.ts';
import type { TableInput } from './table-demand.ts';

type Row = Record<string, unknown>;
type Read = { Keys?: readonly Row[]; ConsistentRead?: boolean };
type Answer = { Item?: Row | undefined; Items?: Row[]; Responses?: Record<string, Row[]> };

/** A replica of the table or an index lacks the writes of this time. AWS promises none, and mostly needs less than a second. */
const lagMs = 4_000;

export function idOf({ pk, sk }: Row): string {
  return `${pk} ${sk}`;
}

function readsOf(batches: TableInput['RequestItems'] = {}): Read[] {
  return Object.values(batches) as Read[];
}

/** True if the table may answer the read from a replica that lags behind. Indexes are always read so. */
export function isEventual(name: string, { IndexName, ConsistentRead, RequestItems }: TableInput): boolean {
  if (name === 'BatchGet') return readsOf(RequestItems).some(({ ConsistentRead: is }) => !is);
  return name === 'Query' ? IndexName !== undefined || !ConsistentRead : name === 'Get' && !ConsistentRead;
}

/** Makes of a response the one of a replica: rows that have changed lately are as they were before. */
export async function asOfAReplica(name: string, input: TableInput, answer: Answer): Promise<Answer> {
  const { table, time } = theRun;
  const before = await table.before();
  const isNew = (id: string) => time.now() - (table.changedAt.get(id) ?? Number.NEGATIVE_INFINITY) <= lagMs;
  const rowOf = (id: string, row: Row | undefined) => (isNew(id) ? before.get(id) : row);
  if (name === 'Get') return { ...answer, Item: rowOf(idOf(input.Key ?? {}), answer.Item) };
  if (name === 'BatchGet') {
    const read = new Map(answer.Responses?.[table.name]?.map((row) => [idOf(row), row]));
    const keys = readsOf(input.RequestItems).flatMap(({ Keys = [] }) => Keys);
    const rows = keys.map((key) => rowOf(idOf(key), read.get(idOf(key)))).filter((row) => row !== undefined);
    return { ...answer, Responses: { [table.name]: rows } };
  }
  const { Items = [] } = answer;
  if (input.IndexName) {
    const place = table.placeOf.get(input.IndexName) ?? [];
    // What was at another place of the index is missing here. What has left this place lately is not shown again.
    const wasHere = (row: Row) => {
      const old = rowOf(idOf(row), row);
      return old !== undefined && place.every((attribute) => old[attribute] === row[attribute]);
    };
    return { ...answer, Items: Items.filter(wasHere) };
  }
  const rows = Items.map((row) => rowOf(idOf(row), row)).filter((row) => row !== undefined);
  const isOfPartition = input.KeyConditionExpression === 'pk = :pk';
  const shown = new Set(Items.map(idOf));
  const deleted = isOfPartition
    ? [...table.changedAt.keys()].filter((id) => isNew(id) && !shown.has(id))
    : [];
  const pk = input.ExpressionAttributeValues?.[':pk'];
  const old = deleted.map((id) => before.get(id)).filter((row) => row !== undefined);
  rows.push(...old.filter((row) => row['pk'] === pk));
  return { ...answer, Items: rows };
}
