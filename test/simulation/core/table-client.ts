import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  ProvisionedThroughputExceededException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { theRun } from './current.ts';
import { TableError } from './table-engine.ts';
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

async function answerTo(operation: string, input: Input): Promise<Input> {
  const { table } = theRun();
  try {
    return fromWire(await table.call(operation, toWire(input)));
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
