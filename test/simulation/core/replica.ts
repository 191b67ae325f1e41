import { theRun } from './current.ts';
import type { Row, TableAnswer, TableInput } from './table-demand.ts';

type Read = { Keys?: readonly Row[]; ConsistentRead?: boolean };

/** A replica of the table or an index lacks the writes of this time. AWS promises none, and mostly needs less than a second. */
const lagMs = 4_000;

export function idOf({ pk, sk }: Row): string {
  return `${pk} ${sk}`;
}

function readsOf(batches: TableInput['RequestItems'] = {}): Read[] {
  return Object.values(batches) as Read[];
}

/** Whether a replica may lack the last write of the row. */
function isNew(id: string): boolean {
  const { table, time } = theRun;
  return time.now() - (table.changedAt.get(id) ?? Number.NEGATIVE_INFINITY) <= lagMs;
}

/** Whether a replica may answer the read with other rows. Indexes are always read so. */
export function mayBeStale(
  name: string,
  { IndexName, ConsistentRead, Key, RequestItems }: TableInput,
): boolean {
  if (name === 'Query') return IndexName !== undefined || !ConsistentRead;
  if (name === 'Get') return !ConsistentRead && isNew(idOf(Key ?? {}));
  const eventual = name === 'BatchGet' ? readsOf(RequestItems).filter((read) => !read.ConsistentRead) : [];
  return eventual.some(({ Keys = [] }) => Keys.some((key) => isNew(idOf(key))));
}

/** Makes of a response the one of a replica: rows that have changed lately are as they were before. */
export async function asOfAReplica(
  name: string,
  input: TableInput,
  answer: TableAnswer,
): Promise<TableAnswer> {
  const { table } = theRun;
  const before = await table.before();
  const rowOf = (id: string, row: Row | undefined) => (isNew(id) ? before.get(id) : row);
  if (name === 'Get') return { ...answer, Item: rowOf(idOf(input.Key ?? {}), answer.Item) };
  if (name === 'BatchGet') {
    const read = new Map(answer.Responses?.[table.name]?.map((row) => [idOf(row), row]));
    const keys = readsOf(input.RequestItems).flatMap(({ Keys = [] }) => Keys);
    const rows = keys.map((key) => rowOf(idOf(key), read.get(idOf(key)))).filter((row) => row !== undefined);
    return { ...answer, Responses: { [table.name]: rows } };
  }
  const { Items = [], LastEvaluatedKey } = answer;
  const values = input.ExpressionAttributeValues ?? {};
  const old = [...table.changedAt.keys()].filter(isNew).map((id) => before.get(id));
  const lately = old.filter((row) => row !== undefined);
  if (input.IndexName) {
    const [partition = '', sort = ''] = table.indexes.get(input.IndexName) ?? [];
    const wasHere = (row: Row) =>
      row[partition] === values[':shard'] &&
      Number(row[sort]) >= Number(values[':from'] ?? 0) &&
      Number(row[sort]) <= Number(values[':until'] ?? values[':to']);
    if (values[':shard'] === undefined || (values[':until'] ?? values[':to']) === undefined)
      throw new Error(`a replica does not know the condition ${input.KeyConditionExpression}`);
    const kept = Items.filter((row) => !isNew(idOf(row)));
    // It is not known where they would be in a page that is not the only one.
    const isOnly = LastEvaluatedKey === undefined && input.ExclusiveStartKey === undefined;
    const direction = input.ScanIndexForward === false ? -1 : 1;
    const rows = [...kept, ...(isOnly ? lately.filter(wasHere) : [])];
    rows.sort((a, b) => direction * (Number(a[sort]) - Number(b[sort])));
    return { ...answer, Items: rows.slice(0, input.Limit) };
  }
  const rows = Items.map((row) => rowOf(idOf(row), row)).filter((row) => row !== undefined);
  const shown = new Set(Items.map(idOf));
  const isOfPartition = input.KeyConditionExpression === 'pk = :pk' && input.ScanIndexForward !== false;
  const isDeleted = (row: Row) => isOfPartition && row['pk'] === values[':pk'] && !shown.has(idOf(row));
  const deleted = lately.filter(isDeleted);
  if (deleted.length === 0) return { ...answer, Items: rows };
  const all = [...rows, ...deleted].sort((a, b) => (String(a['sk']) < String(b['sk']) ? -1 : 1));
  return { ...answer, Items: all };
}
