import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';

type Row = Record<string, unknown>;
/** Attributes as `{ S: 'text' }`. */
type WireRow = Record<string, { B?: unknown }>;

/** Members of requests and answers that are rows or parts of them. */
const ofRow = /^(?:Key|Item|Attributes|ExpressionAttributeValues|ExclusiveStartKey|LastEvaluatedKey)$/;
const ofRows = /^(?:Keys|Items)$/;

function convert(value: unknown, name: string, convertRow: (row: never) => Row): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (ofRow.test(name)) return convertRow(value as never);
  if (Array.isArray(value)) {
    const nameOfEach = ofRows.test(name) ? 'Item' : '';
    return value.map((one) => convert(one, nameOfEach, convertRow));
  }
  // The answer to a BatchGet has rows by table.
  const member = (key: string) => (name === 'Responses' ? 'Items' : key);
  const members = Object.entries(value).map(([key, one]) => [key, convert(one, member(key), convertRow)]);
  return Object.fromEntries(members);
}

/** Binary attributes are base64 in JSON; there are none within maps and lists. */
function convertBytes(row: WireRow, of: (bytes: never) => unknown): WireRow {
  return Object.fromEntries(
    Object.entries(row).map(([name, { B, ...other }]) => [name, B ? { B: of(B as never) } : other]),
  );
}

function withBytes(row: WireRow): WireRow {
  return convertBytes(row, (text: string) => Buffer.from(text, 'base64'));
}

function withBase64(row: WireRow): WireRow {
  return convertBytes(row, (bytes: Uint8Array) => Buffer.from(bytes).toString('base64'));
}

/** What the SDK's own client gives, with its rows as attributes, but bytes for base64. */
export function attributesFromWire(told: object): object {
  return convert(told, '', withBytes) as object;
}

/** What a command of the SDK's own client asks, in DynamoDB's own JSON. */
export function attributesToWire(input: object): object {
  return convert(input, '', withBase64) as object;
}

/** The same for a command of the document client. */
export function toWire(input: object): object {
  const convertRow = (row: Row) => withBase64(marshall(row, { removeUndefinedValues: true }) as WireRow);
  return convert(input, '', convertRow) as object;
}

export function fromWire(answer: object): object {
  return convert(answer, '', (row: WireRow) => unmarshall(withBytes(row) as never)) as object;
}
