import { beforeAll, expect, test } from 'vitest';
import { documented } from '../../../docs/generate/operations.ts';
import { eventStore } from '../../../shared/events/event-store.ts';
import { connectLocalTable } from '../../../shared/platform/table/table.ts';
import { accessCases } from './access-cases.ts';
import { type AccessFixture, sharedAccessFixture } from './access-fixture.ts';
import { sendRaw } from './raw-request.ts';

/** The event of every operation that changes something in a partner's account. */
const events: Readonly<Record<string, string>> = {
  CreateKey: 'key.created',
  RotateKey: 'key.rotated',
  RetireKey: 'key.retired',
  DeleteKey: 'key.deleted',
  PutEndpoint: 'endpoint.changed',
  EnableEndpoint: 'endpoint.enabled',
  DisableEndpoint: 'endpoint.disabled',
  RotateEndpointSecret: 'endpoint.changed',
  RetireEndpointSecret: 'endpoint.changed',
  ExamineEndpoint: 'endpoint.examined',
  PutAlerts: 'alerts.changed',
  DeleteAlerts: 'alerts.changed',
  CancelPush: 'send.cancelled',
  CreatePromotion: 'promotion.created',
  UpdatePromotion: 'promotion.updated',
};

/** Why an operation that is no GET has no event of its own. */
const withoutEvent: Readonly<Record<string, string>> = {
  StartSync: 'its list has one when it ends',
  RegisterCheckIn: 'a check-in has its own record',
  SendMessage: 'messages have their own history; planned ones have send.scheduled',
  SendBulk: 'messages have their own history; planned ones have send.scheduled',
  SendMulti: 'messages have their own history; planned ones have send.scheduled',
  TestCallback: 'it changes nothing',
  TestAlerts: 'it changes nothing',
  ReplayCallbacks: 'GET /callbacks shows it',
};

let fixture: AccessFixture;
beforeAll(async () => {
  fixture = await sharedAccessFixture();
});

const changing = documented
  .map(({ operation }) => operation)
  .filter(({ route, caller }) => caller.authorization === 'basic' && !/^GET |\/sandbox\//.test(route));

test('rule 55: every operation that changes something says which event it writes, or why none', () => {
  const said = [...Object.keys(events), ...Object.keys(withoutEvent)];
  expect(said.sort()).toEqual(changing.map(({ id }) => id).sort());
});

async function newest() {
  const { tableName, dynamodb } = fixture.service.endpoints;
  const store = eventStore(connectLocalTable(tableName, dynamodb));
  return (await store.page('bars', { limit: 20, nowMs: Date.now() })).events;
}

/** A message that was handed over is asked back without a change of the account, so the whole send is cancelled here. */
const bodies: Readonly<Record<string, string>> = { 'POST /push/{messageId}/cancel': '{"of":"send"}' };

async function askFor(route: string): Promise<void> {
  const [method = ''] = route.split(' ');
  const allowed = await accessCases[route]?.request(fixture);
  if (!allowed) throw new Error(`${route} has no access case`);
  const body = bodies[route] ?? allowed.body;
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const headers = { authorization: fixture.credentials, offerid: 'bars-of-moscow', ...type };
  const { status } = await sendRaw(fixture.baseUrl, {
    method,
    ...allowed,
    ...(body === undefined ? {} : { body }),
    headers,
  });
  expect(status).toBe(200);
}

/** An endpoint that is disabled is enabled by the next, so this order matters. */
const inOrder = changing.toSorted(
  (a, b) => Number(a.id === 'EnableEndpoint') - Number(b.id === 'EnableEndpoint'),
);

test.each(inOrder.map(({ id, route }) => [id, route] as const))(
  'rule 55: %s (%s) writes its event, with the login that asked, or none',
  async (id, route) => {
    if (id === 'EnableEndpoint') await askFor('POST /callbacks/endpoint/disable');
    else await fixture.signedByOne();
    const before = new Set((await newest()).map(({ eventId }) => eventId));
    await askFor(route);
    const written = (await newest()).filter(({ eventId }) => !before.has(eventId));
    const wanted = events[id];
    // The request of another case prepares what this one changes: keys and secrets that it needs.
    const found = written.filter(({ kind, by }) => kind === wanted && by === 'bars');
    expect(found.length).toBe(wanted === undefined ? 0 : 1);
    if (wanted === undefined) expect(written.filter(({ by }) => by === 'bars')).toEqual([]);
  },
);
