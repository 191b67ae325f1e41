import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { documented } from '../../docs/generate/operations.ts';
import { manyRequests, rememberPartners, sampleSecret } from '../../local/partners.ts';
import { sampleEvent } from '../support/sample-event.ts';
import { finishedSession, keysUnder, type RunningService, startService } from '../support/service.ts';

// The samples of events/ are invoked in order on the built functions, and each finds the results of earlier ones.

let service: RunningService;
let stateDir: string;
beforeAll(async () => {
  stateDir = mkdtempSync(join(tmpdir(), 'partner-integration-events-'));
  rememberPartners(stateDir, sampleSecret);
  service = await startService({ stateDir });
});
afterAll(async () => {
  await service.stop();
  rmSync(stateDir, { recursive: true, force: true });
});

type OpenApi = { paths: Record<string, Record<string, { responses: Record<string, unknown> }>> };
const { paths }: OpenApi = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));

function documentedStatuses(routeKey: string): number[] {
  const [method = '', path = ''] = routeKey.split(' ');
  return Object.keys(paths[path]?.[method.toLowerCase()]?.responses ?? {}).map(Number);
}

const contracts = new Map(documented.map(({ operation }) => [operation.id, operation]));
const invoked: string[] = [];

function responds(
  id: string,
  status = 200,
  body: unknown = expect.anything(),
  then?: (body: unknown) => Promise<unknown>,
) {
  invoked.push(id);
  return it(`${id} answers ${status}, as documented`, async () => {
    const event = sampleEvent(id);
    const response = (await service.invoke(id, event)) as { statusCode: number; body: string };
    const answered = response.body === '' ? '' : JSON.parse(response.body);
    expect({ status: response.statusCode, body: answered }).toMatchObject({ status, body });
    expect(documentedStatuses(event.routeKey)).toContain(status);
    if (status === 200) expect(contracts.get(id)?.response.safeParse(answered).error).toBeUndefined();
    await then?.(answered);
  });
}

function gives(id: string, response: unknown) {
  invoked.push(id);
  return it(`${id} processes its sample`, async () => {
    expect(await service.invoke(id, sampleEvent(id))).toEqual(response);
  });
}

const nothingFailed = { batchItemFailures: [] };
const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);
const promotion = { promoId: 1, name: 'Два по цене одного', startDate: '2026-05-01T00:00:00+03' };

gives('AuthorizePartner', {
  isAuthorized: true,
  context: {
    partnerId: 'bars',
    login: 'bars',
    secretCreatedAt: expect.any(Number),
    role: 'full',
    offerIds: ['bars-of-moscow'],
    limited: false,
    limits: { ...manyRequests, pushesPerMinute: 100_000 },
  },
});

// Session ids are random, so the session of these three samples is unknown, and the list begins another one.
responds('GetSync', 404, { status: 'SESSION_NOT_FOUND' });
gives('ProcessSync', nothingFailed);
gives('EndFailedSync', nothingFailed);
responds('StartSync', 200, { sessionId: uuid }, (body) =>
  finishedSession(service.partner, { status: 200, headers: new Headers(), body }),
);
responds('ListSyncs', 200, { sessions: [{ sessionId: uuid, status: 'FINISHED' }] });
responds('ListPlaces', 200, { places: [{ itemId: 'bar-1' }, { itemId: 'bar-2' }] });
responds('ListWalletPlaces', 200, {
  places: [{ itemId: 'bar-1', placeInfo: { name: 'Юнион Джек' } }, { itemId: 'bar-2' }],
});

responds('OpenCheckIn', 200, {
  checkinNumber: 1,
  secretCode: expect.stringMatching(/^\d{4}$/),
  expiresAt: expect.any(String),
});
responds('ListCheckIns', 200, [{ checkinNumber: 1, cardNumber: '9643907500000012' }]);
responds('RegisterCheckIn', 200, { checkinNumber: 1, cardNumber: '9643907500000012' });

responds('OpenSandboxCheckIn', 200, { checkinNumber: 2, secretCode: expect.stringMatching(/^\d{4}$/) });

responds('ListActivePromotions', 404, '');
responds('CreatePromotion', 200, { promoId: 1, status: 'active' });
responds('UpdatePromotion', 200, { promoId: 1, status: 'active' });
responds('GetPromotion', 200, { ...promotion, discount: '40 %', endDate: null });
responds('ListPromotions', 200, { metadata: { totalCount: 1 }, items: [promotion] });
responds('ListWalletPromotions', 200, { promos: [promotion] });

responds('UpdateRecipients', 200, { registered: 2, unregistered: 1 });
responds('SendMessage', 200, { messageId: uuid, state: 'ENQUEUED' });
responds('SendBulk', 200, [
  { msisdn: 79001234567, messageId: uuid, state: 'ENQUEUED' },
  { msisdn: 79001234569, messageId: uuid, state: 'MSISDN_NOT_REGISTERED' },
]);
responds('SendMulti', 200, [
  { msisdn: 79001234568, messageId: uuid, state: 'ENQUEUED' },
  { msisdn: 79001234569, messageId: uuid, state: 'MSISDN_NOT_REGISTERED' },
]);
// The service never accepted the message of these samples: its receipt is parked, but its callback is made anyway.
responds('GetDeliveryHistory', 404, { status: 'MESSAGE_NOT_FOUND' });
responds('GetSendReport', 404, { status: 'MESSAGE_NOT_FOUND' });
responds('CancelPush', 404, { status: 'MESSAGE_NOT_FOUND' });
responds('ListSends', 200, {
  sends: [
    { messageId: uuid, recipients: 2 },
    { messageId: uuid, recipients: 2 },
  ],
});
gives('DispatchMessages', nothingFailed);
responds('PutPhone', 200, { msisdn: 79001234567, registered: true });
responds('ListPhones', 200, { phones: [{ msisdn: 79001234567, registered: true }] });
gives('ShowMessages', nothingFailed);
responds('GetPhone', 200, {
  registered: true,
  messages: expect.arrayContaining([
    expect.objectContaining({ state: 'DELIVERED', sender: 'bars', acceptedAt: '2026-05-20T12:00:00.000Z' }),
  ]),
});
responds('OpenPhoneMessage', 200, { state: 'OPENED' });
// The number stays registered, because the wallet platform has registered it, too.
responds('DeletePhone', 200, { registered: true });
gives('ReportReceipts', nothingFailed);
gives('RemoveMessages', nothingFailed);
gives('RecordReceipts', nothingFailed);
gives('AdvanceSends', nothingFailed);
gives('FanOutStates', nothingFailed);
gives('DeliverCallback', nothingFailed);
gives('DeliverSlowCallback', nothingFailed);
it('attempts the callbacks of both samples', async () => {
  expect(await keysUnder(service, 'PARKED#callbacks')).toEqual([]);
});
gives('SweepDue', null);
gives('ServeConsole', expect.objectContaining({ statusCode: 200, body: expect.stringContaining('<title>') }));

responds('TestCallback', 200, { delivered: true, httpStatus: 200 });
responds('ExamineEndpoint', 200, { passed: 7, failed: 7 });
responds('PutAlerts', 200, { status: 'ENABLED', secret: expect.stringMatching(/^whsec_/) });
responds('TestAlerts', 200, { delivered: false });
responds('GetAlerts', 200, { kinds: ['endpoint.failing', 'list.held'], circuit: { state: 'CLOSED' } });
responds('DeleteAlerts', 200, { deleted: true });
responds('DisableEndpoint', 200, { status: 'DISABLED' });
responds('EnableEndpoint', 200, { status: 'ENABLED' });
responds('RotateEndpointSecret', 200, { secret: expect.stringMatching(/^whsec_/) });
responds('RetireEndpointSecret', 200, { secrets: 1 });
responds('PutEndpoint', 200, { url: 'https://bars.example/callbacks', timeoutSeconds: 10 });
responds('GetEndpoint', 200, {
  basicLogin: 'wallet-service',
  circuit: { state: 'CLOSED' },
  notices: [
    { what: 'address, HTTP Basic, timeout changed', by: 'bars' },
    { what: 'older signing secret ended', by: 'bars' },
    { what: 'signing secret added', by: 'bars' },
    { what: 'enabled', by: 'bars' },
    { what: 'disabled: by the partner', by: 'bars' },
    { what: expect.stringMatching(/^examined: SIGNATURE_MISSING, .*, BASIC_MISSING failed$/), by: 'bars' },
    { what: 'address, HTTP Basic changed', by: 'npm start' },
  ],
});
responds('GetSandboxReceiver', 200, { answer: { status: 200, delaySeconds: 0 }, callbacks: [] });
responds('PutSandboxReceiver', 200, { answer: { status: 503, times: 2 } });
// The path of this sample does not belong to any receiver.
responds('TakeSandboxCallback', 404, { status: 'RECEIVER_NOT_FOUND' });
responds('ListKeys', 200, { keys: [{ login: 'bars', role: 'full' }] });
responds('GetOwnKey', 200, {
  login: 'bars',
  partnerId: 'bars',
  role: 'full',
  offerIds: ['bars-of-moscow'],
});
responds('CreateKey', 200, { role: 'cash-desk', placeIds: ['bar-1'] });
responds('RotateKey', 200, { login: 'bars' });
// The samples have the older secret.
responds('RetireKey', 409, { status: 'SECRET_IN_USE' });
responds('DeleteKey', 409, { status: 'LAST_FULL_KEY' });

for (const id of contracts.keys()) if (!invoked.includes(id)) responds(id);

it('every sample was invoked', () => {
  expect(invoked.map((id) => `${id}.json`).sort()).toEqual(readdirSync('events').sort());
});
