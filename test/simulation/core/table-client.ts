import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  ProvisionedThroughputExceededException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { theRun } from './current.ts';
import { type SimulatedTable, TableError } from './table-engine.ts';
import { fromWire, toWire } from './table-wire.ts';

type Input = Record<string, unknown>;
type Batch = Record<string, unknown[] | { Keys: unknown[] }>;
interface Command {
  readonly input: Input;
  readonly constructor: { readonly name: string };
}

const operations: Readonly<Record<string, string>> = {
  Get: 'GetItem',
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  BatchGet: 'BatchGetItem',
  BatchWrite: 'BatchWriteItem',
  TransactWrite: 'TransactWriteItems',
};

const unused = new DynamoDBClient({ region: 'local' });
const $metadata = {};

function throttled(): Error {
  return new ProvisionedThroughputExceededException({ message: 'throttled', $metadata });
}

/** The error that the SDK would throw. */
function errorOf(error: unknown): unknown {
  if (!(error instanceof TableError)) return error;
  const { code, message, answer } = error;
  const given = answer as { Item?: never; CancellationReasons?: never };
  if (code === 'ConditionalCheckFailedException') {
    return new ConditionalCheckFailedException({ message, $metadata, Item: given.Item });
  }
  if (code === 'TransactionCanceledException') {
    return new TransactionCanceledException({
      message,
      $metadata,
      CancellationReasons: given.CancellationReasons,
    });
  }
  return error;
}

/** The first half of a batch, which the table takes, and the rest, which it gives back. */
function halved(batch: Batch): { taken: Batch; left: Batch } {
  const taken: Batch = {};
  const left: Batch = {};
  for (const [table, items] of Object.entries(batch)) {
    const all = Array.isArray(items) ? items : items.Keys;
    const half = Math.ceil(all.length / 2);
    const some = (part: unknown[]) => (Array.isArray(items) ? part : { ...items, Keys: part });
    taken[table] = some(all.slice(0, half));
    if (half < all.length) left[table] = some(all.slice(half));
  }
  return { taken, left };
}

const staleForMs = 60_000;
/** When rows were put, for each table. */
const writtenAt = new WeakMap<SimulatedTable, Map<string, number>>();

function idOf({ pk, sk }: Input): string {
  return `${pk} ${sk}`;
}

function rememberPut(item: Input): void {
  const { table, time } = theRun();
  const times = writtenAt.get(table) ?? new Map<string, number>();
  writtenAt.set(table, times);
  if (!times.has(idOf(item))) times.set(idOf(item), time.now());
}

/** The answer of a replica that lags behind. */
function withoutNewRows(answer: Input): Input {
  const { table, time } = theRun();
  const times = writtenAt.get(table);
  const isOld = (row: Input) => time.now() - (times?.get(idOf(row)) ?? 0) > staleForMs;
  const responses = Object.entries((answer['Responses'] ?? {}) as Record<string, Input[]>);
  return {
    ...answer,
    Responses: Object.fromEntries(responses.map(([name, rows]) => [name, rows.filter(isOld)])),
  };
}

function mayBeStale(operation: string, { RequestItems = {} }: { RequestItems?: Batch }): boolean {
  if (operation !== 'BatchGetItem') return false;
  return Object.values(RequestItems).every((one) => !(one as { ConsistentRead?: boolean }).ConsistentRead);
}

async function answerTo(operation: string, input: Input): Promise<Input> {
  const { table, faults } = theRun();
  try {
    const answer = fromWire(await table.call(operation, toWire(input)));
    if (operation === 'PutItem') rememberPut(input['Item'] as Input);
    return mayBeStale(operation, input) && faults.happens('staleRead') ? withoutNewRows(answer) : answer;
  } catch (error) {
    throw errorOf(error);
  }
}

async function answerInPart(operation: string, input: Input): Promise<Input> {
  const { taken, left } = halved(input['RequestItems'] as Batch);
  const answer = await answerTo(operation, { ...input, RequestItems: taken });
  return { ...answer, [operation === 'BatchGetItem' ? 'UnprocessedKeys' : 'UnprocessedItems']: left };
}

/** Which row, or how many, for the timeline. */
function describe(input: Input): string {
  const row = (input['Key'] ?? input['Item']) as { pk?: string; sk?: string } | undefined;
  return row ? `${row.pk} ${row.sk}` : '';
}

/** The document client of a function, on the table of the run. */
export class SimulatedTableClient extends DynamoDBDocumentClient {
  constructor() {
    super(unused);
  }

  override send = ((command: Command): Promise<Input> => {
    const { call, faults } = theRun();
    const name = command.constructor.name.replace(/Command$/, '');
    const operation = operations[name] ?? name;
    const inPart = operation.startsWith('Batch') && faults.happens('batchInPart');
    const make = () => (inPart ? answerInPart : answerTo)(operation, command.input);
    let made: Promise<Input> | undefined;
    return call({
      what: `${name} ${describe(command.input)}${inPart ? ' (in part)' : ''}`,
      to: 'table',
      throttled,
      // The SDK repeats a transaction with the same token, and the table does not write it twice.
      make: () => {
        if (operation !== 'TransactWriteItems') return make();
        made ??= make();
        return made;
      },
    });
  }) as never;
}
