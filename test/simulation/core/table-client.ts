import {
  DynamoDBClient,
  ProvisionedThroughputExceededException,
  TransactionCanceledException,
  TransactionConflictException,
  TransactionInProgressException,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { seeKept } from '../kept-rows.ts';
import { invocations } from './calls.ts';
import { theRun } from './current.ts';
import { physics } from './physics.ts';
import { asOfAReplica, idOf, mayBeStale } from './replica.ts';
import { asTheSdk } from './sdk.ts';
import { type Batch, type TableAnswer, type TableInput, type Touch, touchesOf } from './table-demand.ts';

/** Splits a batch into the rows that the table takes and the rows that it gives back. */
function divided(batch: Batch, isTaken: (at: number) => boolean): { taken: Batch; left: Batch } {
  const [[table = '', items = []] = []] = Object.entries(batch);
  const all: readonly unknown[] = 'Keys' in items ? items.Keys : items;
  const some = (wanted: boolean): Batch => {
    const part = all.filter((_, at) => isTaken(at) === wanted);
    const same = 'Keys' in items ? { ...items, Keys: part } : part;
    return part.length > 0 ? ({ [table]: same } as Batch) : {};
  };
  return { taken: some(true), left: some(false) };
}

function operationOf(name: string): string {
  if (name === 'TransactWrite') return 'TransactWriteItems';
  return /^(?:Query|Scan|BatchWriteItem)$/.test(name) ? name : `${name}Item`;
}

/** Charges what the call cost, shared equally among the rows that were read or written. */
function charge(touches: readonly Touch[], answer: TableAnswer): void {
  const { capacity, table } = theRun;
  const price = (of: string): number =>
    [answer.ConsumedCapacity ?? []].flat().reduce((sum, { Table, GlobalSecondaryIndexes }) => {
      const units = of === 'table' ? Table : GlobalSecondaryIndexes?.[of];
      return sum + (units?.CapacityUnits ?? 0);
    }, 0);
  const shareOut = (of: string, demands: readonly { kind: Touch['kind']; partition: string }[]): void => {
    const units = price(of) / demands.length;
    if (units > 0) for (const demand of demands) capacity.charge({ ...demand, of }, units);
  };
  for (const of of ['table', ...table.indexes.keys()]) {
    const direct = touches.filter((touch) => touch.of === of);
    // A row that leaves an index costs a write there, too, in a partition that the call does not show.
    const indexed = touches.flatMap(({ index = [] }) => index).filter((demand) => demand.of === of);
    const elsewhere = { kind: 'write' as const, partition: 'rows that leave it' };
    shareOut(of, direct.length > 0 || of === 'table' ? direct : indexed.length > 0 ? indexed : [elsewhere]);
  }
}

function hasRoom({ index = [], ...demand }: Touch): boolean {
  return [demand, ...index].every((one) => theRun.capacity.takes(one));
}

/** The table cancels a transaction for which it has no room, and the SDK does not repeat that. */
function throttled(name: string, { TransactItems = [] }: TableInput): Error {
  const about = { message: 'throttled', $metadata: {} };
  if (name !== 'TransactWrite') return new ProvisionedThroughputExceededException(about);
  const Code = theRun.rng.pick(['ThrottlingError', 'ProvisionedThroughputExceeded']);
  return new TransactionCanceledException({
    ...about,
    CancellationReasons: TransactItems.map(() => ({ Code })),
  });
}

/** Refuses a call that the function's role does not allow. An operator's call has no function and needs no role. */
function demandPermission(functionName: string | undefined, touches: readonly Touch[]): void {
  if (functionName === undefined) return;
  for (const { action, of, partition } of touches) {
    const access = { action: `dynamodb:${action}`, resource: of, rows: [partition] };
    if (theRun.roles(functionName, access)) continue;
    const message = `${functionName} may not ${action} on ${of} ${partition}`;
    theRun.forbidden.add(message);
    throw Object.assign(new Error(message), { name: 'AccessDeniedException' });
  }
}

/** True if a transaction in progress writes the row. */
function isHeld({ kind, id = '' }: Touch): boolean {
  return kind === 'write' && (theRun.table.heldUntil.get(id) ?? 0) > theRun.time.now();
}

/** Refuses writes of rows that a transaction in progress writes. A transaction then blocks its own rows for a while. */
function demandNoConflict(name: string, touches: readonly Touch[]): void {
  const { time, rng, table } = theRun;
  const held = touches.map(isHeld);
  if (held.includes(true)) {
    const about = { message: 'Transaction is ongoing for the item', $metadata: {} };
    if (name !== 'TransactWrite') throw new TransactionConflictException(about);
    const CancellationReasons = held.map((one) => ({ Code: one ? 'TransactionConflict' : 'None' }));
    throw new TransactionCanceledException({ ...about, CancellationReasons });
  }
  if (name !== 'TransactWrite') return;
  const until = time.now() + rng.between(...physics.transactionMs);
  for (const { id = '' } of touches) table.heldUntil.set(id, until);
}

function stayInProgress(token: string): void {
  const { table, time, rng } = theRun;
  table.inProgressUntil.set(token, time.now() + rng.between(5_000, 8_000));
}

/** Refuses a transaction that the table has, and is not done with. */
function demandNotInProgress(token: string): void {
  if ((theRun.table.inProgressUntil.get(token) ?? 0) <= theRun.time.now()) return;
  throw new TransactionInProgressException({ $metadata: {}, message: 'in progress' });
}

/** The document client of every function, on the table of the current run. */
export const tableClient = DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'local' }));

async function ask(name: string, input: TableInput, touches: readonly Touch[]): Promise<TableAnswer> {
  const { faults, kept, table, time } = theRun;
  // Whole partitions that are read by one page are far smaller than 1 MB.
  const isWhole = input.KeyConditionExpression === 'pk = :pk';
  const isShort = name === 'Query' && !isWhole && faults.happens('shortPage');
  const asked = { ...input, ...(isShort ? { Limit: 1 } : {}), ReturnConsumedCapacity: 'INDEXES' };
  const answer: TableAnswer = await table.call(operationOf(name), asked);
  if (/^(?:Put|Update|Delete|BatchWrite|TransactWrite)/.test(name)) table.written();
  for (const { kind, action, id = '', expiresAt } of touches) {
    if (kind !== 'write' || action === 'ConditionCheckItem') continue;
    table.changedAt.set(id, time.now());
    table.writes.set(id, (table.writes.get(id) ?? 0) + 1);
    table.writtenAt.set(id, [...(table.writtenAt.get(id) ?? []), time.now()]);
    if (expiresAt !== undefined) seeKept(kept, id, expiresAt * 1_000 - time.now());
  }
  const isStale = mayBeStale(name, input) && faults.happens(name === 'Query' ? 'staleQuery' : 'staleRow');
  const read = isStale ? await asOfAReplica(name, input, answer) : answer;
  // DynamoDB returns the rows of a batch in any order.
  if (name === 'BatchGet') for (const rows of Object.values(read.Responses ?? {})) rows.reverse();
  return read;
}

/** Refuses a call that has reached the table, or takes it, perhaps in part. Its function may be dead by then. */
async function arrive(
  name: string,
  input: TableInput,
  { inPart, functionName }: { inPart: boolean; functionName: string | undefined },
): Promise<TableAnswer> {
  const { table } = theRun;
  const touches = touchesOf(name, input, table.indexes);
  demandPermission(functionName, touches);
  const room = touches.map(hasRoom);
  if (!input.RequestItems) {
    if (room.includes(false)) throw throttled(name, input);
    demandNoConflict(name, touches);
    const answer = await ask(name, input, touches);
    charge(touches, answer);
    return answer;
  }
  if (!room.includes(true)) throw throttled(name, input);
  const half = Math.ceil(touches.length / 2);
  const isIn = (at: number) => room[at] === true && !isHeld(touches[at] as Touch) && (!inPart || at < half);
  const parts = divided(input.RequestItems, isIn);
  if (Object.keys(parts.taken).length === 0) throw throttled(name, input);
  const taken = touches.filter((_, at) => isIn(at));
  const answer = await ask(name, { ...input, RequestItems: parts.taken }, taken);
  charge(taken, answer);
  return { ...answer, [name === 'BatchGet' ? 'UnprocessedKeys' : 'UnprocessedItems']: parts.left };
}

/** True if the call writes or reads what a feed delivers. */
function isFeed({ Item, ExpressionAttributeValues: values }: TableInput): boolean {
  return String(Item?.['pk'] ?? values?.[':pk']).startsWith('DELIVERED#');
}

/** Returns the fault that often makes this call late. */
function oftenLate(
  name: string,
  input: TableInput,
  functionName: string | undefined,
): 'keptLate' | 'listLate' | 'sendLate' | undefined {
  if (input.UpdateExpression?.includes('savedResponse')) return 'keptLate';
  if (name === 'Put' && input.Item?.['toDispatch'] && input.Item['partnerId']) return 'sendLate';
  return name === 'BatchWriteItem' && functionName === 'ProcessSync' ? 'listLate' : undefined;
}

Object.assign(tableClient, {
  send: (command: { input: TableInput }): Promise<TableAnswer> => {
    const { call, faults, rng } = theRun;
    const { input } = command;
    const name = command.constructor.name.replace(/Command$/, '');
    // Code outside any invocation prepares or checks the table, and is not simulated.
    const invocation = invocations.getStore();
    if (!invocation) return theRun.table.call(operationOf(name), input);
    const { functionName, isSafe } = invocation;
    const row = input.Key ?? input.Item;
    const inPart = input.RequestItems !== undefined && faults.happens('batchInPart');
    return asTheSdk(theRun, (isRefused) =>
      call({
        what: `${name} ${row ? idOf(row) : ''}${inPart ? ' (in part)' : ''}`,
        to: 'table',
        isRefused,
        oftenLate: oftenLate(name, input, functionName),
        oftenSlow: name === 'Put' && isFeed(input) ? 'feedSlow' : undefined,
        throttled: () => throttled(name, input),
        make: async () => {
          if (name !== 'TransactWrite') return arrive(name, input, { inPart, functionName });
          const { ClientRequestToken: token = '' } = input;
          demandNotInProgress(token);
          // Only the answer is left: neither room nor conflicts matter to a transaction that was made.
          if (theRun.table.madeTokens.has(token)) return theRun.table.call(operationOf(name), input);
          if (!isSafe && rng.happens(physics.transactionsThrottled)) throw throttled(name, input);
          const answer = await arrive(name, input, { inPart: false, functionName });
          theRun.table.madeTokens.add(token);
          if (faults.happens('transactionStays')) stayInProgress(token);
          demandNotInProgress(token);
          return answer;
        },
      }),
    );
  },
});
