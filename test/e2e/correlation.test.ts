import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Reply, request } from '../../ops/scenario/client.ts';
import { eventually } from '../../ops/scenario/eventually.ts';
import { finishedSession, type RunningService, startService } from '../support/service.ts';

const stateDir = mkdtempSync(join(tmpdir(), 'partner-integration-correlation-'));
const phone = 79_001_234_567;

let service: RunningService;
beforeAll(async () => {
  service = await startService({ stateDir, retrySpeed: 100 });
  await request(service.wallet, 'PUT /wallet/recipients', { registered: [phone] });
});
afterAll(async () => {
  await service.stop();
  rmSync(stateDir, { recursive: true, force: true });
});

function requestIdOf({ headers }: Reply): string {
  return headers.get('apigw-requestid') ?? 'the answer has none';
}

/** Returns the functions whose logs contain the text, sorted by name; not the authorizer, which may be cached. */
function functionsThatTell(text: string): string[] {
  return readdirSync(join(stateDir, 'logs'))
    .filter((file) => readFileSync(join(stateDir, 'logs', file), 'utf8').includes(text))
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
  await request(service.partner, 'POST /push/delivery', { ...message, msisdn: phone });
  const log = readFileSync(join(stateDir, 'logs', 'partner-integration-dev-SendMessage.log'), 'utf8');
  const lines = log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ level }) => level)).not.toContain('WARN');
  expect(lines.at(-1)).toMatchObject({
    service: expect.stringMatching(/^partner-integration/),
    function: 'SendMessage',
    PushesAccepted: 1,
    _aws: { CloudWatchMetrics: [{ Dimensions: [['service', 'function']] }] },
  });
});
