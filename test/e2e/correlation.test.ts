import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Reply, request } from '../../ops/scenario/client.ts';
import { eventually } from '../../ops/scenario/eventually.ts';
import { finishedSession } from '../support/service.ts';
import { fast, type RunningTests, sharedService } from '../support/shared-service.ts';

const phone = 79_001_234_567;

let service: RunningTests;
beforeAll(async () => {
  service = await sharedService(fast);
  await request(service.wallet, 'PUT /wallet/recipients', { registered: [phone] });
});
afterAll(() => service.stop());

function requestIdOf({ headers }: Reply): string {
  return headers.get('apigw-requestid') ?? 'the answer has none';
}

/** Returns the functions whose logs contain the text, sorted by name; not the authorizer, which may be cached. */
function functionsThatTell(text: string): string[] {
  const folder = join(service.stateDir, 'logs');
  return readdirSync(folder)
    .filter((file) => readFileSync(join(folder, file), 'utf8').includes(text))
    .map((file) => basename(file, '.log').replace('partner-integration-dev-', ''))
    .filter((name) => name !== 'AuthorizePartner')
    .sort();
}

const message = {
  pushType: 'SERVICE',
  qos: { deliveryStatusNotifications: true },
  payload: { title: 'Union Jack', message: 'Your table is ready' },
};

test.each([
  ['SendMessage', 'POST /push/delivery', { ...message, msisdn: phone }],
  ['SendBulk', 'POST /push/bulk/single', { ...message, msisdn: [phone] }],
  ['SendMulti', 'POST /push/bulk/multi', [{ ...message, msisdn: phone }]],
])('the id of a %s request leads through stream and queues to the callbacks', async (name, route, body) => {
  const requestId = requestIdOf(await request(service.partner, route, body));
  const told = await eventually('a callback', () => functionsThatTell(requestId), {
    until: (functions) => functions.includes('DeliverCallback'),
  });
  const behind = ['DeliverCallback', 'DispatchMessages', 'FanOutStates', 'RecordReceipts'];
  expect(told).toEqual([...behind, name, 'ShowMessages']);
});

test('the id of a request that sent a list leads to the work on its list', async () => {
  const places = [{ itemId: 'bar-1', placeInfo: { address: 'Nizhny Kiselny pereulok 3, Moscow' } }];
  const started = await request(service.partner, 'POST /places/sync', { places });
  await finishedSession(service.partner, started);
  await eventually('both functions', () => functionsThatTell(requestIdOf(started)), {
    until: (functions) => functions.join() === 'ProcessSync,StartSync',
  });
});

test('a line with metrics holds its own dimensions, or CloudWatch would count it nowhere', async () => {
  const requestId = requestIdOf(
    await request(service.partner, 'POST /push/delivery', { ...message, msisdn: phone }),
  );
  const file = join(service.stateDir, 'logs', 'partner-integration-dev-SendMessage.log');
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  expect(JSON.parse(lines.find((line) => line.includes(requestId)) ?? '')).toMatchObject({
    level: 'INFO',
    service: expect.stringMatching(/^partner-integration/),
    function: 'SendMessage',
    PushesAccepted: 1,
    _aws: { CloudWatchMetrics: [{ Dimensions: [['service', 'function']] }] },
  });
});
