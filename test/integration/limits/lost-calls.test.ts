import {
  type Agent,
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, expect, inject, test } from 'vitest';
import { authorizePartner } from '../../../functions/authorizer/authorize-partner.ts';
import { openCheckIn } from '../../../functions/check-ins/open-check-in.ts';
import { sizes } from '../../../infra/config.ts';
import { close, listen } from '../../../local/http/loopback.ts';
import { checkInStore } from '../../../shared/check-ins/check-in.ts';
import { partnerStore } from '../../../shared/partners/partner-store.ts';
import { placeStore } from '../../../shared/places/place.ts';
import { connectQueue, sendAll } from '../../../shared/platform/queues/queue.ts';
import { systemClock } from '../../../shared/platform/runtime/clock.ts';
import { withinTime } from '../../../shared/platform/runtime/time-left.ts';
import { connectLocalTable } from '../../../shared/platform/table/table.ts';
import { putNew, transactional } from '../../../shared/platform/table/transactional.ts';
import { basic } from '../../support/basic.ts';
import { engineAccess } from '../../support/engine-access.ts';
import { respond } from '../../support/http.ts';
import { newQueue } from '../../support/queue.ts';
import { requestDeps } from '../../support/request-deps.ts';
import { serverWithSlowHandshake } from '../../support/slow-server.ts';
import { newTable } from '../../support/table.ts';
import { checkInRig } from '../check-ins/check-in-rig.ts';

// Concurrent tests wait for the timeouts of calls together.
const servers: Server[] = [];
afterAll(() => Promise.all(servers.map(close)));

/** What becomes of a call instead of its response. */
type Loss = 'never answered' | 'answered in half' | 'made, and never answered' | 'called in progress';

/**
 * Starts an engine that loses calls: those whose position, counted from 0, is in `losses`. Only calls whose target
 * contains `operation` count.
 */
async function losing(engine: string, losses: Readonly<Record<number, Loss>>, operation = '') {
  let calls = 0;
  const pass = (call: IncomingMessage, response: ServerResponse, loss?: Loss) => {
    const { method, url = '/', headers } = call;
    const onward = request(new URL(url, engine), { method, headers }, (answer) => {
      answer.resume();
      if (loss === 'made, and never answered') return;
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      if (loss === undefined) answer.pipe(response);
      else answer.once('data', (bytes: Buffer) => response.write(bytes.subarray(0, 1)));
    });
    call.pipe(onward);
  };
  const server = createServer((call, response) => {
    const isCounted = String(call.headers['x-amz-target']).includes(operation);
    const loss = isCounted ? losses[calls++] : undefined;
    if (loss === 'called in progress') {
      const __type = 'com.amazonaws.dynamodb.v20120810#TransactionInProgressException';
      response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' });
      response.end(JSON.stringify({ __type, message: 'in progress' }));
    } else if (loss !== 'never answered') pass(call, response, loss);
  });
  const port = await listen(server, 0);
  servers.push(server);
  return { url: `http://127.0.0.1:${port}`, calls: () => calls };
}

/** The context of a function of this size, which begins now. */
function functionOf({ timeoutSeconds }: { timeoutSeconds: number }) {
  const end = Date.now() + timeoutSeconds * 1_000;
  return { getRemainingTimeInMillis: () => end - Date.now() };
}

async function openingRig(losses: Record<number, Loss>) {
  const { table } = await checkInRig();
  const engine = await losing(inject('dynamodbEndpoint'), losses);
  const lossy = connectLocalTable(table.name, engine.url);
  const stores = {
    ...requestDeps(lossy, systemClock),
    places: placeStore(lossy),
    checkIns: checkInStore(lossy),
  };
  const open = openCheckIn(stores);
  const body = { offerId: 'bars-of-moscow', placeId: 'p1', cardNumber: 'card-1' };
  return () => respond(open, { body }, functionOf(sizes.checkInOpening));
}

test('the shortest function is that which opens check-ins', () => {
  expect(sizes.checkInOpening.timeoutSeconds).toBe(4);
  for (const { timeoutSeconds } of Object.values(sizes)) expect(timeoutSeconds).toBeGreaterThanOrEqual(4);
});

// Calls 0, 1 and 2 are reads side by side, 3 counts, 4 and 5 write.
test.concurrent.each<[what: string, losses: Record<number, Loss>]>([
  ['its first three calls were never answered', [0, 1, 2].map(() => 'never answered' as const)],
  ['the next number was taken, and the call never answered', { 3: 'made, and never answered' }],
  ['its last write was made, and never answered', { 5: 'made, and never answered' }],
  ['a response stopped half-way', { 2: 'answered in half' }],
])('a check-in is opened within the 4 s of its function although %s', async (_what, losses) => {
  const open = await openingRig(losses);
  const startedAt = performance.now();
  const { statusCode } = await open();
  expect(statusCode).toBe(200);
  expect(performance.now() - startedAt).toBeGreaterThan(1_000);
  expect(performance.now() - startedAt).toBeLessThan(4_000);
});

test.concurrent('a partner is let in within the 5 s of the authorizer although its first call was never answered', async () => {
  const { table } = await checkInRig();
  const engine = await losing(inject('dynamodbEndpoint'), { 0: 'never answered' });
  const partners = partnerStore(connectLocalTable(table.name, engine.url));
  const authorize = authorizePartner({ partners, pushesPerMinute: 1_000 });
  const headers = { authorization: basic('nobody', 'wrong') };
  const event = { headers, requestContext: { requestId: 'r', http: { sourceIp: '127.0.0.1' } } };
  expect(sizes.authorizer.timeoutSeconds).toBe(5);
  const verdict = await (authorize as unknown as (event: object, context: object) => Promise<object>)(
    event,
    functionOf(sizes.authorizer),
  );
  expect(verdict).toMatchObject({ isAuthorized: false });
  expect(engine.calls()).toBe(2);
});

// The client tries a call four times. After that `transactional` makes another one.
test.concurrent.each<[what: string, losses: readonly Loss[]]>([
  ['whose response was lost', ['made, and never answered']],
  [
    'and is called in progress for longer than a call is tried',
    ['made, and never answered', ...Array.from({ length: 4 }, () => 'called in progress' as const)],
  ],
])('a transaction that was made, %s, is made once and succeeds', async (_what, losses) => {
  const { name, rows } = await newTable();
  const engine = await losing(inject('dynamodbEndpoint'), losses);
  const table = connectLocalTable(name, engine.url);
  const writes = [putNew(table, { pk: 'P', sk: '1' }), putNew(table, { pk: 'P', sk: '2' })];
  const made = await withinTime(functionOf(sizes.endpoint), () => transactional(table, writes));
  expect(made).toEqual({ applied: true });
  expect(await rows()).toHaveLength(2);
});

test('a connection that the table does not accept for 1.3 s is tried again, before the system would do so after 3 s', async () => {
  const port = await serverWithSlowHandshake(1_300);
  const { client, name } = connectLocalTable('busy', `http://127.0.0.1:${port}`);
  const startedAt = performance.now();
  await client.send(new GetCommand({ TableName: name, Key: { pk: 'P', sk: '1' } }));
  expect(performance.now() - startedAt).toBeGreaterThan(1_000);
  expect(performance.now() - startedAt).toBeLessThan(2_700);
});

test('connections close when no call used them for 20 s: an instance that was frozen for longer has none that may be dead', async () => {
  const { client, name } = await newTable();
  const keys = Array.from({ length: 4 }, (_, n) => ({ pk: 'P', sk: `${n}` }));
  await Promise.all(keys.map((Key) => client.send(new GetCommand({ TableName: name, Key }))));
  const handler = client.config.requestHandler as unknown as { httpHandlerConfigs(): { httpAgent: Agent } };
  const { httpAgent } = handler.httpHandlerConfigs();
  const idle = Object.values(httpAgent.freeSockets).flatMap((sockets) => sockets ?? []);
  expect(idle.map(({ timeout }) => timeout)).toEqual([20_000, 20_000, 20_000, 20_000]);
});

test.concurrent('a message is sent within the 10 s of an endpoint although the first call was never answered', async () => {
  const engine = await losing(inject('sqsEndpoint'), { 0: 'never answered' }, 'SendMessageBatch');
  const { url, drain } = await newQueue();
  const throughEngine = `${engine.url}${new URL(url).pathname}`;
  const queue = connectQueue(throughEngine, { ...engineAccess, endpoint: engine.url });
  await withinTime(functionOf(sizes.endpoint), () => sendAll(queue, [{ body: '{}' }]));
  expect(engine.calls()).toBe(2);
  expect(await drain()).toHaveLength(1);
});
