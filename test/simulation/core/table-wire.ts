import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';

type Json = Record<string, unknown>;

/** Members of requests and answers that hold a row, or values of one, and those that hold a list of rows. */
const rowMembers = new Set([
  'Key',
  'Item',
  'Attributes',
  'ExpressionAttributeValues',
  'ExclusiveStartKey',
  'LastEvaluatedKey',
]);
const rowListMembers = new Set(['Keys', 'Items']);

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function translate(value: unknown, row: (row: Json) => unknown, isRow = false): unknown {
  if (Array.isArray(value)) return value.map((item) => translate(item, row, isRow));
  if (!isObject(value)) return value;
  if (isRow) return row(value);
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      translate(member, row, rowMembers.has(name) || rowListMembers.has(name)),
    ]),
  );
}

function base64(this: Json, name: string, value: unknown): unknown {
  const given = name === 'B' ? this['B'] : undefined;
  return given instanceof Uint8Array ? Buffer.from(given).toString('base64') : value;
}

function bytes(name: string, value: unknown): unknown {
  return name === 'B' && typeof value === 'string' ? Buffer.from(value, 'base64') : value;
}

/** The text of a request of the document client, as DynamoDB takes it. */
export function toWire(input: object): string {
  const wire = translate(input, (row) => marshall(row, { removeUndefinedValues: true }));
  return JSON.stringify(wire, base64);
}

/** An answer, still with the types of its values, as the SDK's errors carry them. */
export function parseWire(text: string): Json {
  return text === '' ? {} : JSON.parse(text, bytes);
}

/** An answer as the document client gives it. Rows of BatchGetItem stand under the name of their table. */
export function fromWire(answer: Json): Json {
  const { Responses, ...rest } = answer;
  const plain = translate(rest, (row) => unmarshall(row as never)) as Json;
  if (!isObject(Responses)) return plain;
  const rows = Object.entries(Responses).map(([table, items]) => [
    table,
    (items as Json[]).map((item) => unmarshall(item as never)),
  ]);
  return { ...plain, Responses: Object.fromEntries(rows) };
}
