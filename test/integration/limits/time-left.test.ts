import { setTimeout as delay } from 'node:timers/promises';
import {
  IdempotentParameterMismatchException,
  ProvisionedThroughputExceededException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, inject, test } from 'vitest';
import { listCheckIns } from '../../../functions/check-ins/list-check-ins.ts';
import { checkInStore } from '../../../shared/check-ins/check-in.ts';
import { placeStore } from '../../../shared/places/place.ts';
import { connectQueue, sendAll } from '../../../shared/platform/queues/queue.ts';
import { systemClock } from '../../../shared/platform/runtime/clock.ts';
import { withinTime } from '../../../shared/platform/runtime/time-left.ts';
import { readAll, writeAll } from '../../../shared/platform/table/batches.ts';
import { connectLocalTable } from '../../../shared/platform/table/table.ts';
import { putNew, transactional } from '../../../shared/platform/table/transactional.ts';
import { tcpServer } from '../../security/egress/loopback-servers.ts';
import { engineAccess } from '../../support/engine-access.ts';
import { forBars, respond } from '../../support/http.ts';
import { interceptCalls } from '../../support/intercept-calls.ts';
import { collectLines } from '../../support/log-lines.ts';
import { requestDeps } from '../../support/request-deps.ts';
import { newTable, type TestTable } from '../../support/table.ts';

const rows = Array.from({ length: 60 }, (_, n) => ({ pk: 'P', sk: `row ${n}` }));
const puts = rows.map((put) => ({ put }));

/** The context of a function that has `ms` milliseconds left from now. */
function functionOf(ms: number) {
  const end = Date.now() + ms;
  return { getRemainingTimeInMillis: () => end - Date.now() };
}

/** Makes the first `count` batch calls return `answer` instead of calling the table. */
function refuse({ client }: TestTable, count: number, answer: (input: object) => object) {
  let calls = 0;
  interceptCalls(client, async ({ name, input }, make) => {
    calls += Number(name.startsWith('Batch'));
    return name.startsWith('Batch') && calls <= count ? answer(input) : make();
  });
  return () => calls;
}

function untaken(input: object) {
  return { UnprocessedItems: (input as { RequestItems: object }).RequestItems };
}

function unreturned(input: object) {
  return { UnprocessedKeys: (input as { RequestItems: object }).RequestItems };
}

function throttled(): never {
  throw new ProvisionedThroughputExceededException({ message: 'slow down', $metadata: {} });
}

test.each([
  ['refuses rows', untaken, unreturned],
  ['throttles', throttled, throttled],
])('a table that %s five times takes and returns every row in the end', async (_title, taking, returning) => {
  const [table, another] = [await newTable(), await newTable()];
  refuse(table, 5, taking);
  await writeAll(table, puts);
  expect(await table.rows()).toHaveLength(60);
  await writeAll(another, puts);
  const calls = refuse(another, 5, returning);
  expect(await readAll(another, rows, { consistent: true })).toHaveLength(60);
  expect(calls()).toBe(6);
});

test.each([
  ['got no response', 'TimeoutError', true],
  ['was throttled', 'ProvisionedThroughputExceededException', false],
])(
  'a write of which a try %s is repeated by the client, and may be made later: %s',
  async (_title, name, mayBeMadeLater) => {
    const { client, ...table } = await newTable();
    let tries = 0;
    client.middlewareStack.add(
      (next) => async (args) => {
        tries += 1;
        if (tries === 1) throw Object.assign(new Error('not now'), { name });
        return next(args);
      },
      { step: 'deserialize', priority: 'low' },
    );
    const write = () => writeAll({ ...table, client }, [{ put: { pk: 'P', sk: '1' } }]);
    expect(await write()).toEqual({ mayBeMadeLater });
    expect(tries).toBe(2);
    expect(await write()).toEqual({ mayBeMadeLater: false });
  },
);

test('a call that the table keeps refusing is repeated after longer and longer pauses', async () => {
  const table = await newTable();
  const calls = refuse(table, Number.POSITIVE_INFINITY, throttled);
  // Half a second is kept for the log line, and a second for the longest pause: 300 ms are left for tries.
  const reads = withinTime(functionOf(1_800), () => readAll(table, [{ pk: 'P', sk: 'row 0' }]));
  await expect(reads).rejects.toThrow('the table did not return 1 of 1 keys in time');
  expect(calls()).toBeLessThan(50);
});

test('when there is no more time for the first batches, those behind them are not tried', async () => {
  const table = await newTable();
  const tried = new Set<string>();
  refuse(table, Number.POSITIVE_INFINITY, (input) => {
    tried.add(JSON.stringify(input));
    return untaken(input);
  });
  const many = Array.from({ length: 500 }, (_, n) => ({ put: { pk: 'P', sk: `${n}` } }));
  const writing = withinTime(functionOf(1_700), () => writeAll(table, many));
  await expect(writing).rejects.toThrow('the table did not take 500 of 500 rows in time');
  expect(tried.size).toBe(4);
});

test('a batch of reads that is wrong is not tried again', async () => {
  const table = await newTable();
  const wrong = refuse(table, 1, () => {
    throw new Error('a key is wrong');
  });
  await expect(readAll(table, rows)).rejects.toThrow('a key is wrong');
  expect(wrong()).toBe(1);
});

test('a transaction that is throttled is made when the table takes more', async () => {
  const table = await newTable();
  let calls = 0;
  interceptCalls(table.client, async (_call, make) => (++calls <= 3 ? throttled() : make()));
  const writes = [putNew(table, { pk: 'P', sk: '1' }), putNew(table, { pk: 'P', sk: '2' })];
  expect(await transactional(table, writes)).toEqual({ applied: true });
});

test.each([
  ['TransactionConflict', 2],
  ['ThrottlingError', 2],
  ['ProvisionedThroughputExceeded', 2],
  ['ValidationError', 1],
])('a transaction that is cancelled for %s is tried %i times', async (Code, tries) => {
  const table = await newTable();
  let calls = 0;
  interceptCalls(table.client, async (_call, make) => {
    calls += 1;
    if (calls > 1) return make();
    const CancellationReasons = [{ Code: 'None' }, { Code }];
    throw new TransactionCanceledException({ message: 'cancelled', $metadata: {}, CancellationReasons });
  });
  const made = transactional(table, [
    putNew(table, { pk: 'P', sk: '1' }),
    putNew(table, { pk: 'P', sk: '2' }),
  ]);
  if (tries === 1) await expect(made).rejects.toThrow('cancelled');
  else expect(await made).toEqual({ applied: true });
  expect(calls).toBe(tries);
});

test('a transaction whose token another one has used is not made', async () => {
  const table = await newTable();
  interceptCalls(table.client, async () => {
    throw new IdempotentParameterMismatchException({ message: 'another', $metadata: {} });
  });
  const made = transactional(table, [putNew(table, { pk: 'P', sk: '1' })], 'used');
  expect(await made).toEqual({ applied: false, at: -1 });
});

/** Starts a server that accepts connections and never responds. */
async function silentServer(): Promise<string> {
  return `http://127.0.0.1:${await tcpServer(() => {})}`;
}

test('a table that never answers ends a request in its own time, with an error and a log line of ours', async () => {
  const lines = collectLines();
  const table = connectLocalTable('hanging', await silentServer());
  const handler = listCheckIns({
    checkIns: checkInStore(table),
    places: placeStore(table),
    ...requestDeps(table, systemClock),
  });
  const answered = await Promise.race([
    respond(handler, { ...forBars, rawPath: '/partner/api/place/w1/checkins' }, functionOf(1_000)),
    delay(900).then(() => 'killed by Lambda'),
  ]);
  expect(answered).toMatchObject({ statusCode: 500, headers: { 'x-error': 'INTERNAL_ERROR' } });
  expect(lines.at(-1)).toMatchObject({ outcome: 'failed', statusCode: 500 });
});

test('a queue that never answers ends a send in time, and batches that are left then are not tried', async () => {
  const endpoint = await silentServer();
  const queue = connectQueue(`${endpoint}/000000000000/q`, { ...engineAccess, endpoint });
  let calls = 0;
  interceptCalls(queue.client, (_call, make) => {
    calls += 1;
    return make();
  });
  const messages = rows.map(() => ({ body: '{}' }));
  const sending = withinTime(functionOf(1_000), () => sendAll(queue, messages));
  const failure = await Promise.race([
    sending.catch((error: unknown) => error),
    delay(900).then(() => 'killed by Lambda'),
  ]);
  expect(failure).toMatchObject({ name: 'NotAllSent', unsent: { length: 60 } });
  expect(calls).toBe(5);
});

test('a single write that meets a transaction of its row is tried again', async () => {
  const { name } = await newTable();
  const { client } = connectLocalTable(name, inject('dynamodbEndpoint'));
  let refusals = 2;
  client.middlewareStack.add(
    (next) => async (args) => {
      if (refusals-- > 0) throw new TransactionConflictException({ message: 'ongoing', $metadata: {} });
      return next(args);
    },
    { step: 'deserialize', priority: 'low', name: 'busyRow' },
  );
  await client.send(new PutCommand({ TableName: name, Item: { pk: 'P', sk: 'row' } }));
  expect(refusals).toBe(-1);
});
