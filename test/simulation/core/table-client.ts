import { DynamoDBClient, ProvisionedThroughputExceededException } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { theRun } from './current.ts';

type Row = Record<string, unknown>;
type Keys = { readonly Keys: unknown[]; readonly ConsistentRead?: boolean };
type Batch = Record<string, unknown[] | Keys>;

type Input = {
  readonly Key?: Row;
  readonly Item?: Row;
  readonly RequestItems?: Batch;
  readonly UpdateExpression?: string;
};
type Answer = { readonly Responses?: Record<string, Row[]> };

/** The first half of a batch, which the table takes, and the rest, which it gives back. */
function halved(batch: Batch): { taken: Batch; left: Batch } {
  const [[table = '', items = []] = []] = Object.entries(batch);
  const all = Array.isArray(items) ? items : items.Keys;
  const half = Math.ceil(all.length / 2);
  const some = (part: unknown[]) => ({ [table]: Array.isArray(items) ? part : { ...items, Keys: part } });
  return { taken: some(all.slice(0, half)), left: half < all.length ? some(all.slice(half)) : {} };
}

const staleForMs = 60_000;

function idOf({ pk, sk }: Row): string {
  return `${pk} ${sk}`;
}

/** The answer of a replica that lags behind. */
function withoutNewRows(answer: Answer): Answer {
  const { table, time } = theRun;
  const isOld = (row: Row) => time.now() - (table.putAt.get(idOf(row)) ?? 0) > staleForMs;
  return { ...answer, Responses: { [table.name]: answer.Responses?.[table.name]?.filter(isOld) ?? [] } };
}

function operationOf(name: string): string {
  if (name === 'TransactWrite') return 'TransactWriteItems';
  return /^(?:Query|Scan|BatchWriteItem)$/.test(name) ? name : `${name}Item`;
}

/** The document client of every function, on the table of the run. */
export const tableClient = DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'local' }));

Object.assign(tableClient, {
  send: (command: { readonly input: Input }): Promise<Answer> => {
    const { call, faults, table, time } = theRun;
    const { input } = command;
    const name = command.constructor.name.replace(/Command$/, '');
    const { Item, Key: row = Item, RequestItems } = input;
    const inPart = RequestItems && faults.happens('batchInPart') ? ' (in part)' : '';

    const ask = async (asked: object): Promise<Answer> => {
      const answer: Answer = await table.call(operationOf(name), asked);
      if (/^(?:Put|Update|Delete|BatchWrite|TransactWrite)/.test(name)) table.written();
      if (Item && !table.putAt.has(idOf(Item))) table.putAt.set(idOf(Item), time.now());
      const [keys] = Object.values(RequestItems ?? {}) as Keys[];
      const mayBeStale = name === 'BatchGet' && !keys?.ConsistentRead;
      return mayBeStale && faults.happens('staleRead') ? withoutNewRows(answer) : answer;
    };
    const askInPart = async (batch: Batch): Promise<Answer> => {
      const { taken, left } = halved(batch);
      const answer = await ask({ ...input, RequestItems: taken });
      return { ...answer, [name === 'BatchGet' ? 'UnprocessedKeys' : 'UnprocessedItems']: left };
    };

    let made: Promise<Answer> | undefined;
    return call({
      what: `${name} ${row ? idOf(row) : ''}${inPart}`,
      to: 'table',
      mayBeVeryLate: input.UpdateExpression?.includes('savedResponse') === true,
      throttled: () => new ProvisionedThroughputExceededException({ message: 'throttled', $metadata: {} }),
      make: () => {
        if (RequestItems && inPart) return askInPart(RequestItems);
        // The SDK repeats a transaction with the same token, and the table does not write it twice.
        if (name !== 'TransactWrite') return ask(input);
        made ??= ask(input);
        return made;
      },
    });
  },
});
