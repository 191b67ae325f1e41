import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { close, listen } from '../../local/http/loopback.ts';
import { request } from '../../ops/scenario/client.ts';
import { eventually } from '../../ops/scenario/eventually.ts';
import { firstMessage } from '../../shared/callbacks/callback-message.ts';
import { callbackStore } from '../../shared/callbacks/rows/callback-store.ts';
import { connectLocalTable } from '../../shared/platform/table/table.ts';
import { sampleEvent } from '../support/sample-event.ts';
import { keysUnder, type RunningService, startService } from '../support/service.ts';

// What functions do rarely, under their roles: a right that is missing would be found in AWS on a bad day.

let service: RunningService;
beforeAll(async () => {
  service = await startService({ simulators: false });
});
afterAll(() => service.stop());

const nothingFailed = { batchItemFailures: [] };

/** The sample event of a worker with another message in it. */
function eventWith(id: string, messageId: string, body: string) {
  const event = sampleEvent(id);
  Object.assign(event.Records[0], { messageId, body });
  return event;
}

test.each([
  ['EndFailedSync', 'places-sync'],
  ['RecordReceipts', 'delivery-receipts'],
  ['AdvanceSends', 'deadlines'],
  ['DeliverCallback', 'callbacks'],
  ['DeliverSlowCallback', 'callbacks'],
])('%s parks a message that it cannot read', async (id, queue) => {
  const event = eventWith(id, `unreadable for ${id}`, 'unreadable');
  expect(await service.invoke(id, event)).toEqual(nothingFailed);
  expect(await keysUnder(service, `PARKED#${queue}`)).toContain(`unreadable for ${id}`);
});

test.each(['DispatchMessages', 'FanOutStates'])('%s parks a record that it cannot read', async (id) => {
  const event = sampleEvent(id);
  const { NewImage } = event.Records[0].dynamodb;
  Object.assign(NewImage, { messageId: { N: '1' }, o0: { S: 'no time' } });
  expect(await service.invoke(id, event)).toEqual(nothingFailed);
  expect(await keysUnder(service, `PARKED#${id}`)).toHaveLength(1);
});

/** Makes a server the endpoint of bars that answers every callback with this status. */
async function endpointAnswers(status: number): Promise<void> {
  const server = createServer((_request, response) => response.writeHead(status).end());
  const url = `http://127.0.0.1:${await listen(server, 0)}/`;
  onTestFinished(() => close(server));
  for (const [route, body] of [
    ['PUT /callbacks/endpoint', { url, maxPerSecond: 50 }],
    ['POST /callbacks/endpoint/enable', undefined],
  ] as const)
    expect(await request(service.partner, route, body)).toMatchObject({ status: 200 });
}

function callbackOf(n: number) {
  const messageId = `5d3b7a0e-0000-4000-8000-00000000000${n}`;
  return { messageId, state: 'DELIVERED' as const, msisdn: 79_000_000_001, changedAt: Date.now() };
}

test.each([
  ['DeliverCallback', 1],
  ['DeliverSlowCallback', 2],
])('%s disables an endpoint that answers 410, and leaves a notice', async (id, n) => {
  const message = firstMessage({ partnerId: 'bars' }, [callbackOf(n)]);
  await endpointAnswers(410);
  const before = await keysUnder(service, 'EVENTS#bars');
  expect(await service.invoke(id, eventWith(id, `refused for ${id}`, message))).toEqual(nothingFailed);
  // An attempt that a busy machine begins after its slot is queued again, and made a moment later.
  const after = () => keysUnder(service, 'EVENTS#bars');
  await eventually('a notice', after, { until: ({ length }) => length === before.length + 1 });
});

test('ReplayCallbacks brings back a callback that failed, and opens the drain of its partner', async () => {
  await endpointAnswers(200);
  const { tableName, dynamodb } = service.endpoints;
  const table = connectLocalTable(tableName, dynamodb);
  const failed = { status: 'failed' as const, tries: 10, attempts: [], reason: 'all attempts failed' };
  await callbackStore(table).create({ partnerId: 'bars', ...callbackOf(3) }, failed, Date.now());
  table.client.destroy();
  const replayed = await request(service.partner, 'POST /callbacks/replay', { status: 'failed' });
  expect(replayed).toMatchObject({ status: 200, body: { replayed: 1, more: false } });
  const byMessage = { messageIds: [callbackOf(3).messageId] };
  expect(await request(service.partner, 'POST /callbacks/replay', byMessage)).toMatchObject({ status: 200 });
});
