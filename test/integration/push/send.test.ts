import { beforeEach, describe, expect, test } from 'vitest';
import { sendBulk } from '../../../functions/push/send-bulk.ts';
import { sendMessage } from '../../../functions/push/send-message.ts';
import { bulkKey } from '../../../shared/platform/table/row-keys/push.ts';
import { deleteRow } from '../../../shared/platform/table/rows.ts';
import { bulkIdFrom } from '../../../shared/push/message-id.ts';
import { failingCommand } from '../../support/failing-command.ts';
import { bars, call, neverKept, respond } from '../../support/http.ts';
import { content, pushRig, type Sent } from './push-rig.ts';

let rig: Awaited<ReturnType<typeof pushRig>>;
beforeEach(async () => {
  rig = await pushRig();
});

const phone = 79_001_234_567;
const other = 79_007_654_321;
const uuid = expect.stringMatching(
  /^[0-9a-f]{8}-[0-9a-f]{4}-[48][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
);

describe('a single message', () => {
  test('to a registered number is ENQUEUED and reaches the outbox', async () => {
    await rig.register(phone);
    const sent = { ...content, msisdn: phone, utm: { utmSource: 'crm', addFields: 7 } };
    const response = await rig.single(sent, { requestId: 'r-1' });
    expect(response).toMatchObject({
      status: 200,
      body: { messageId: uuid, state: 'ENQUEUED' },
      headers: { 'ratelimit-policy': '"recipients";q=100000;w=60', ratelimit: '"recipients";r=99999;t=60' },
    });
    await rig.dispatch();
    expect(await rig.outgoing()).toEqual([
      {
        partnerId: 'bars',
        acceptedAt: '2026-05-20T12:00:00.000Z',
        requestId: 'r-1',
        ...content,
        utm: { utmSource: 'crm', addFields: 7 },
        messages: [{ messageId: (response.body as Sent).messageId, msisdn: phone }],
      },
    ]);
  });

  test('is accepted in the minute whose rate it was taken from', async () => {
    await rig.register(phone);
    rig.clock.advance(59_000);
    const sentSlowly = sendMessage({
      ...rig.deps,
      recipients: {
        ...rig.deps.recipients,
        registeredAmong: (msisdns, partnerId) => {
          rig.clock.advance(2_000);
          return rig.deps.recipients.registeredAmong(msisdns, partnerId);
        },
      },
    });
    const request = { partner: bars, body: { ...content, msisdn: phone } };
    expect((await call(sentSlowly, request)).status).toBe(200);
    await rig.dispatch();
    expect(await rig.outgoing()).toMatchObject([{ acceptedAt: '2026-05-20T12:00:59.000Z' }]);
  });

  test('whose response was lost with its function is not sent again under its Idempotency-Key', async () => {
    await rig.register(phone);
    const key = { headers: { 'idempotency-key': 'k1' } };
    const lostResponse = sendMessage({
      ...rig.deps,
      messages: {
        ...rig.deps.messages,
        saveSingle: async (message) => {
          await rig.deps.messages.saveSingle(message);
          throw new Error('the function is killed');
        },
      },
    });
    const request = { partner: bars, body: { ...content, msisdn: phone }, ...key };
    expect((await call(lostResponse, request)).status).toBe(500);
    await rig.dispatch();
    const [sent] = await rig.outgoing();
    await call(rig.handlers.recipients, { body: { unregistered: [phone] } });
    rig.clock.advance(60_000);
    const again = await rig.single({ ...content, msisdn: phone }, key);
    expect(again).toMatchObject({ status: 200, body: { state: 'ENQUEUED' } });
    expect(await rig.statesOf((again.body as Sent).messageId)).toEqual(['ENQUEUED 2026-05-20T15:00:00+0300']);
    expect(sent).toMatchObject({ messages: [{ messageId: (again.body as Sent).messageId, msisdn: phone }] });
    const rows = await rig.table.rows();
    expect(rows.filter(({ sk }) => sk === 'MESSAGE')).toHaveLength(1);
  });

  test('rule 18: to another number is MSISDN_NOT_REGISTERED, and is sent to nobody', async () => {
    expect((await rig.single({ ...content, msisdn: phone })).body).toMatchObject({
      state: 'MSISDN_NOT_REGISTERED',
    });
    await rig.dispatch();
    expect(await rig.outgoing()).toEqual([]);
  });

  test('to a number that gave the wallet up is MSISDN_NOT_REGISTERED', async () => {
    await rig.register(phone);
    await call(rig.handlers.recipients, { body: { unregistered: [phone] } });
    expect((await rig.single({ ...content, msisdn: phone })).body).toMatchObject({
      state: 'MSISDN_NOT_REGISTERED',
    });
  });

  test.each(['TRANSACTION', 'SERVICE'])(
    'rule 17: of type %s loses its image, which is accepted',
    async (pushType) => {
      await rig.register(phone);
      const payload = { ...content.payload, image: 'https://bars.example/i.png' };
      expect((await rig.single({ pushType, payload, msisdn: phone })).status).toBe(200);
      await rig.dispatch();
      expect((await rig.outgoing())[0]?.payload).toEqual(content.payload);
    },
  );

  test('rule 17: of type PROMO keeps its image, its deeplink and members the contract does not know', async () => {
    await rig.register(phone);
    const payload = {
      ...content.payload,
      image: 'https://bars.example/i.png',
      deeplink: { target: 'campaign', campaignId: 17 },
      badge: { count: 3 },
    };
    await rig.single({ pushType: 'PROMO', payload, msisdn: phone, qos: { ttl: 60 } });
    await rig.dispatch();
    expect((await rig.outgoing())[0]).toMatchObject({ pushType: 'PROMO', payload, qos: { ttl: 60 } });
  });

  test('keeps members that are not nearly spelt like known ones, in the payload and its deeplink', async () => {
    await rig.register(phone);
    const payload = {
      ...content.payload,
      subtitle: 'x',
      msg: 'x',
      deeplink: { target: 'card', campaign_ref: 'x', url: 'x' },
    };
    const utm = { UtmSource: 'crm' };
    await rig.single({ pushType: 'SERVICE', payload, msisdn: phone, utm });
    await rig.dispatch();
    expect((await rig.outgoing())[0]).toMatchObject({ payload, utm });
  });

  test.each([
    [{ deepLink: { target: 'card' } }, 'payload.deepLink: unknown, did you mean deeplink?'],
    [{ Image: 'https://bars.example/i.png' }, 'payload.Image: unknown, did you mean image?'],
    [{ title: undefined, Title: 'x' }, 'payload.Title: unknown, did you mean title?'],
    [{ deeplink: { Target: 'campaigns' } }, 'payload.deeplink.Target: unknown, did you mean target?'],
    [{ deeplink: { campaignID: 1 } }, 'payload.deeplink.campaignID: unknown, did you mean campaignId?'],
  ])(
    'rule 46: with %j in its payload is refused: what is misspelt would have no effect',
    async (more, sentence) => {
      const payload = { ...content.payload, ...more };
      expect((await rig.single({ ...content, payload, msisdn: phone })).headers['x-error']).toBe(
        `REQUEST_INVALID; ${sentence}`,
      );
    },
  );

  // The message was sent without its deadline, or without a callback.
  test.each([
    [{ deliverDue: '2026-05-20T13:00:00Z' }, 'deliverDue: unknown here, send it as qos.deliverDue'],
    [
      { qos: { ttl: 60 }, delivery_status_notifications: true },
      'delivery_status_notifications: unknown here, send it as qos.deliveryStatusNotifications',
    ],
    [{ payload: { message: 'x' }, title: 'x' }, 'title: unknown here, send it as payload.title'],
    [{ target: 'campaigns' }, 'target: unknown here, send it as payload.deeplink.target'],
  ])('rule 59: with %j a member of another object is refused, and told its place', async (more, sentence) => {
    const message = { ...content, msisdn: phone, ...more };
    expect((await rig.single(message)).headers['x-error']).toBe(`REQUEST_INVALID; ${sentence}`);
    expect((await rig.multi([message])).body).toMatchObject({ errors: [`[0].${sentence}`] });
  });

  test.each([
    [{ deliverDue: 'x', qos: { deliverDue: '2026-05-20T13:00:00Z' } }],
    [{ utmSource: 'crm' }],
    [{ titel: 'x' }],
    [{ payload: { ...content.payload, deliverDue: 'x', utm: 'x' }, qos: { title: 'x' } }],
  ])(
    'rule 59: with %j nothing is refused: it stands in its place too, or is passed on as given',
    async (more) => {
      expect((await rig.single({ ...content, msisdn: phone, ...more })).status).toBe(200);
    },
  );

  test('two sentences about one member become one', async () => {
    const payload = { ...content.payload, image: `ftp://${'x'.repeat(2_048)}` };
    expect((await rig.single({ ...content, payload, msisdn: phone })).headers['x-error']).toBe(
      'REQUEST_INVALID; payload.image: must have at most 2048 characters, and must be an http or https URL',
    );
  });

  test('rule 61: null in an optional member is as if it were absent, and other members stay as given', async () => {
    await rig.register(phone);
    const payload = { ...content.payload, image: null, deeplink: null, badge: null };
    const optional = {
      qos: { deliverDue: null, ttl: null },
      utm: { utmSource: null, custom: null },
      dryRun: null,
    };
    expect((await rig.single({ ...content, payload, ...optional, msisdn: phone })).status).toBe(200);
    await rig.dispatch();
    expect((await rig.outgoing())[0]).toMatchObject({
      payload: { ...content.payload, badge: null },
      qos: { ttl: null },
      utm: { custom: null },
    });
    const nothing = { ...content, payload: { ...payload, title: null } };
    expect((await rig.single({ ...nothing, msisdn: phone })).headers['x-error']).toBe(
      'REQUEST_INVALID; payload.title: must be a string',
    );
  });

  const say = (payload: object) => ({
    pushType: 'SERVICE',
    payload: { ...content.payload, ...payload },
    msisdn: phone,
  });
  test.each([
    ['a title of 50 emoji', say({ title: '😀'.repeat(50) }), 200],
    ['a title of 51 emoji', say({ title: '😀'.repeat(51) }), 400],
    ['a title of 25 letters with combining marks', say({ title: 'e\u0301'.repeat(25) }), 200],
    ['a title of 26 letters with combining marks', say({ title: 'e\u0301'.repeat(26) }), 400],
    ['a message of 150 characters', say({ message: 'я'.repeat(150) }), 200],
    ['a message of 151 characters', say({ message: 'я'.repeat(151) }), 400],
    ['an empty title', say({ title: '' }), 400],
    ['a title of blanks', say({ title: ' \u00a0\t' }), 400],
    ['a message of blanks', say({ message: '   ' }), 400],
    ['a campaignId of 512 characters', say({ deeplink: { campaignId: 'c'.repeat(512) } }), 200],
    ['a campaignId of 513 characters', say({ deeplink: { campaignId: 'c'.repeat(513) } }), 400],
    ['a text that is damaged', say({ title: 'Сто\ufffdик' }), 400],
    ['a member of its own that is damaged', say({ more: ['\ufffd'] }), 400],
    ['a deeplink to a campaign without its id', say({ deeplink: { target: 'campaign' } }), 400],
    ['a deeplink to the card', say({ deeplink: {} }), 200],
    ['an image that is no web address', say({ image: 'javascript:alert(1)' }), 400],
    ['4 kB of unknown members and more', say({ more: 'x'.repeat(4_096) }), 400],
    ['a number of 6 digits', { ...content, msisdn: 999_999 }, 400],
    ['a number of 16 digits', { ...content, msisdn: 1_000_000_000_000_000 }, 400],
    ['a number as a string', { ...content, msisdn: String(phone) }, 400],
    ['an unknown push type', { ...content, pushType: 'SPAM', msisdn: phone }, 400],
  ])('with %s', async (_what, body, status) => {
    const response = await rig.single(body);
    expect(response.status).toBe(status);
    if (status === 400) expect(response.body).toBe('');
  });

  test('that is wrong is answered without a body; the reason is in x-error', async () => {
    const response = await rig.single({ ...content, payload: { message: 'x' }, msisdn: 7 });
    expect(response).toEqual({
      status: 400,
      headers: {
        ...neverKept,
        'x-error':
          'REQUEST_INVALID; payload.title: required; msisdn: must be a whole number of 7 to 15 digits, without +',
      },
      body: '',
    });
    const problem = { headers: { accept: 'application/problem+json' } };
    expect(await rig.single({ ...content, msisdn: 7 }, problem)).toMatchObject({ status: 400, body: '' });
    expect(await rig.single('{"half')).toMatchObject({
      status: 400,
      body: '',
      headers: {
        'x-error':
          'REQUEST_INVALID; body: is not valid JSON, it ends too early (at position 6, after {"half)',
      },
    });
  });

  test('over the rate is answered 429 without a body, and when to come back', async () => {
    const poor = { partner: { ...bars, limits: { pushesPerMinute: 2 } } };
    rig.clock.advance(48_000);
    await rig.single({ ...content, msisdn: phone }, poor);
    await rig.single({ ...content, msisdn: phone }, poor);
    expect(await rig.single({ ...content, msisdn: phone }, poor)).toEqual({
      status: 429,
      headers: {
        ...neverKept,
        'x-error':
          'TOO_MANY_REQUESTS; msisdn: the limit of 2 recipients a minute is reached, send again after 12 s',
        'ratelimit-policy': '"recipients";q=2;w=60',
        ratelimit: '"recipients";r=0;t=12',
        'retry-after': '12',
      },
      body: '',
    });
    rig.clock.advance(12_000);
    expect((await rig.single({ ...content, msisdn: phone }, poor)).status).toBe(200);
  });

  test('is sent once for an Idempotency-Key', async () => {
    const keyed = { headers: { 'idempotency-key': 'order-1' } };
    const first = await rig.single({ ...content, msisdn: phone }, keyed);
    expect((await rig.single({ ...content, msisdn: phone }, keyed)).body).toEqual(first.body);
  });

  test('that is replayed says what is left of the rate now, for one read, and takes nothing', async () => {
    const poor = { partner: { ...bars, limits: { pushesPerMinute: 10 } } };
    const keyed = { ...poor, headers: { 'idempotency-key': 'order-1' } };
    const first = await rig.single({ ...content, msisdn: phone }, keyed);
    expect(first.headers).toMatchObject({ ratelimit: '"recipients";r=9;t=60' });
    rig.clock.advance(20_000);
    await rig.bulk({ ...content, msisdn: [phone, other] }, poor);
    const replay = () => rig.single({ ...content, msisdn: phone }, keyed);
    rig.table.units();
    expect((await replay()).headers).toMatchObject({
      'ratelimit-policy': '"recipients";q=10;w=60',
      ratelimit: '"recipients";r=7;t=40',
      'idempotent-replayed': 'true',
    });
    expect(rig.table.units()).toMatchObject({ read: 1 });
    rig.clock.advance(40_000);
    expect((await replay()).headers).toMatchObject({ ratelimit: '"recipients";r=10;t=60' });
  });
});

describe('a write that a request has given up, and that arrives late', () => {
  /** Sends a request whose write is given up. Returns the equal request that continues it, and the write. */
  async function givenUp(kind: 'single' | 'bulk') {
    await rig.register(phone);
    const writes: (() => Promise<unknown>)[] = [];
    const giveUp = (write: () => Promise<unknown>): never => {
      writes.push(write);
      throw new Error('no response in time');
    };
    const { messages } = rig.deps;
    const deps = {
      ...rig.deps,
      messages: {
        ...messages,
        saveSingle: async (message: Parameters<typeof messages.saveSingle>[0]) =>
          giveUp(() => messages.saveSingle(message)),
        saveBulk: async (send: Parameters<typeof messages.saveBulk>[0]) =>
          giveUp(() => messages.saveBulk(send)),
      },
    };
    const body = { ...content, msisdn: kind === 'single' ? phone : [phone, other] };
    const request = { partner: bars, body, headers: { 'idempotency-key': 'k1' } };
    const handler = kind === 'single' ? sendMessage(deps) : sendBulk(deps);
    expect((await call(handler, request)).status).toBeGreaterThanOrEqual(500);
    rig.clock.advance(60_000);
    await call(rig.handlers.recipients, { body: { unregistered: [phone] } });
    return { request, arrives: async () => writes[0]?.() };
  }

  function messageIdIn(body: unknown): string {
    return ([body].flat() as Sent[])[0]?.messageId ?? '';
  }

  test.each(['single', 'bulk'] as const)('replaces nothing of a %s send stored since', async (kind) => {
    const { request, arrives } = await givenUp(kind);
    const { status, body } = await call(rig.handlers[kind], request);
    expect(status).toBe(200);
    await arrives();
    expect(await rig.statesOf(messageIdIn(body))).toEqual(['MSISDN_NOT_REGISTERED 2026-05-20T15:01:00+0300']);
  });

  test.each(['single', 'bulk'] as const)(
    'counts if it comes first: the request that continues a %s send responds with it',
    async (kind) => {
      const { request, arrives } = await givenUp(kind);
      const registeredAmong: typeof rig.deps.recipients.registeredAmong = async (...asked) => {
        await arrives();
        return rig.deps.recipients.registeredAmong(...asked);
      };
      const deps = { ...rig.deps, recipients: { ...rig.deps.recipients, registeredAmong } };
      const { body } = await call(kind === 'single' ? sendMessage(deps) : sendBulk(deps), request);
      expect([body].flat()[0]).toMatchObject({ state: 'ENQUEUED' });
      expect(await rig.statesOf(messageIdIn(body))).toEqual(['ENQUEUED 2026-05-20T15:00:00+0300']);
    },
  );
});

test('the parts that a first try stored are kept as long as the send that continues it a day later', async () => {
  const { messages } = rig.deps;
  const bulkId = bulkIdFrom('5f0c1b9e-7a52-4c0e-9a1c-2f6f7f0f7d11');
  const recipients = [phone, other].map((msisdn) => ({ msisdn, registered: true }));
  const send = { bulkId, partnerId: 'bars', requestId: 'r1', recipients, each: false };
  const contents = [{ ...content, pushType: 'SERVICE' as const }];
  const [first, second] = [Date.UTC(2026, 4, 20, 12), Date.UTC(2026, 4, 21, 12)];
  await messages.saveBulk({ ...send, contents, acceptedAt: first });
  await deleteRow(rig.table, bulkKey(bulkId));
  await messages.saveBulk({ ...send, contents, acceptedAt: second });
  const rows = await rig.table.rows();
  const part = rows.find(({ sk }) => String(sk).startsWith('PART#'));
  // 30 days after it was accepted, and half a day for the end of a deadline 30 days ahead.
  expect(Number(part?.['expiresAt']) * 1_000).toBeGreaterThan(Date.UTC(2026, 5, 21));
});

describe('rule 19: one message to many', () => {
  test('returns one element for each number in order; a number given twice is sent once', async () => {
    await rig.register(phone);
    const { status, body } = await rig.bulk({ ...content, msisdn: [phone, other, phone] });
    const sent = body as Sent[];
    expect(status).toBe(200);
    expect(sent.map(({ msisdn, state }) => [msisdn, state])).toEqual([
      [phone, 'ENQUEUED'],
      [other, 'MSISDN_NOT_REGISTERED'],
      [phone, 'ENQUEUED'],
    ]);
    expect(sent[2]?.messageId).toBe(sent[0]?.messageId);
    await rig.dispatch();
    expect((await rig.outgoing()).map(({ messages }) => messages)).toEqual([
      [{ messageId: sent[0]?.messageId, msisdn: phone }],
    ]);
  });

  test('of 10,000 costs 83 write units and goes out a thousand a message; 10,001 are too many', async () => {
    const msisdn = Array.from({ length: 10_000 }, (_, n) => 79_000_000_000 + n);
    for (let n = 0; n < 10_000; n += 1_000) await rig.register(...msisdn.slice(n, n + 1_000));
    rig.table.units();
    const { status, body } = await rig.bulk({ ...content, msisdn });
    expect(status).toBe(200);
    expect(body).toHaveLength(10_000);
    // The writes are 10 rows of 8 kB, the row that counts, the row that lists the send, and one lease of the rate.
    expect(rig.table.units().write).toBe(83);
    await rig.dispatch();
    const outgoing = await rig.outgoing();
    expect(outgoing.map(({ messages }) => messages.length)).toEqual(Array.from({ length: 10 }, () => 1_000));
    expect(new Set(outgoing.flatMap(({ messages }) => messages.map(({ messageId }) => messageId))).size).toBe(
      10_000,
    );

    expect(await rig.bulk({ ...content, msisdn: [...msisdn, phone] })).toMatchObject({
      status: 503,
      body: {
        status: 'BATCH_SIZE_EXCEEDED',
        errors: ['msisdn: 10001 recipients, the limit is 10000 a request; send several requests'],
      },
    });
  });

  test('that is malformed is 400 in the shape of the contract', async () => {
    expect(await rig.bulk({ ...content, msisdn: [phone, 7] })).toMatchObject({
      status: 400,
      body: {
        status: 'REQUEST_INVALID',
        errors: ['msisdn[1]: must be a whole number of 7 to 15 digits, without +'],
      },
    });
    expect(await rig.bulk({ ...content, msisdn: [] })).toMatchObject({
      status: 400,
      body: { status: 'REQUEST_INVALID' },
    });
  });

  // It was told to come back in 60 s, every minute again.
  test('rule 20: of more recipients than a minute takes is refused whole, and not told to come back', async () => {
    const poor = { partner: { ...bars, limits: { pushesPerMinute: 100 } } };
    const msisdn = Array.from({ length: 150 }, (_, n) => phone + n);
    const refused = await rig.bulk({ ...content, msisdn }, poor);
    expect(refused).toMatchObject({
      status: 503,
      body: {
        status: 'BATCH_SIZE_EXCEEDED',
        errors: ['msisdn: 150 recipients never fit into 100 a minute; send several requests'],
      },
      headers: { ratelimit: '"recipients";r=100;t=60' },
    });
    expect(refused.headers).not.toHaveProperty('retry-after');
    expect((await rig.bulk({ ...content, msisdn: msisdn.slice(50) }, poor)).status).toBe(200);
    // A number that comes twice is sent once.
    rig.clock.advance(60_000);
    expect((await rig.bulk({ ...content, msisdn: [...msisdn.slice(50), phone + 60] }, poor)).status).toBe(
      200,
    );
  });

  // The headers said that nothing was left, and a request that fitted was not sent.
  test('rule 20: over the rate is refused whole, and told what is left', async () => {
    const poor = { partner: { ...bars, limits: { pushesPerMinute: 100 } } };
    const msisdn = Array.from({ length: 60 }, (_, n) => phone + n);
    await rig.bulk({ ...content, msisdn }, poor);
    expect(await rig.bulk({ ...content, msisdn }, poor)).toMatchObject({
      status: 503,
      body: { status: 'RATE_LIMIT_EXCEEDED' },
      headers: { 'retry-after': '60', ratelimit: '"recipients";r=40;t=60' },
    });
    const full = await rig.bulk({ ...content, msisdn: msisdn.slice(20) }, poor);
    expect([full.status, full.headers['ratelimit']]).toEqual([200, '"recipients";r=0;t=60']);
  });

  test('whose table calls fail half way is 503: nobody is told it was accepted, and nobody gets it', async () => {
    await rig.register(phone);
    let calls = 0;
    rig.table.client.middlewareStack.add(
      (next, context) => async (args) => {
        if (context.commandName === 'PutItemCommand') calls += 1;
        if (calls === 3) throw new Error('the table is gone');
        return next(args);
      },
      { step: 'initialize', name: 'failThirdPut' },
    );
    const broken = sendBulk(rig.deps);
    const msisdn = Array.from({ length: 5_000 }, (_, n) => (n === 0 ? phone : 79_100_000_000 + n));
    const response = await call(broken, { partner: bars, body: { ...content, msisdn }, requestId: 'r-1' });
    expect(response).toMatchObject({
      status: 503,
      body: { status: 'PROCESSING_FAILED', errors: ['reference r-1'] },
    });
    await rig.dispatch();
    expect(await rig.outgoing()).toEqual([]);
  });

  test.each(['bulk', 'multi'] as const)(
    'that died after its work is answered as it was stored, whoever was registered or not since (%s)',
    async (how) => {
      await rig.register(phone);
      const key = { headers: { 'idempotency-key': 'k1' } };
      const body =
        how === 'bulk'
          ? { ...content, msisdn: [phone, other] }
          : [phone, other].map((msisdn) => ({ ...content, msisdn }));
      const dies = failingCommand(rig.table.client, 'UpdateItemCommand', 2);
      const first = await rig[how](body, key);
      dies.remove();
      await call(rig.handlers.recipients, { body: { registered: [other], unregistered: [phone] } });
      rig.clock.advance(60_000);
      const again = await rig[how](body, key);
      expect(again).toMatchObject({ status: 200, body: first.body });
      expect((again.body as Sent[]).map(({ state }) => state)).toEqual(['ENQUEUED', 'MSISDN_NOT_REGISTERED']);
      expect(await rig.statesOf((again.body as [Sent])[0].messageId)).toEqual([
        'ENQUEUED 2026-05-20T15:00:00+0300',
      ]);
    },
  );

  test('may be agreed for 40,000, whose response fits into that of a function and into the row of a key', async () => {
    const agreed = { partner: { ...bars, limits: { bulkRecipients: 65_536 } } };
    const msisdn = Array.from({ length: 40_001 }, (_, n) => 790_000_000_000_000 + n * 7_919);
    expect(await rig.bulk({ ...content, msisdn }, agreed)).toMatchObject({
      status: 503,
      body: { errors: ['msisdn: 40001 recipients, the limit is 40000 a request; send several requests'] },
    });
    const body = { ...content, msisdn: msisdn.slice(1) };
    const request = { ...agreed, body, headers: { 'idempotency-key': 'campaign-1' } };
    const first = await respond(rig.handlers.bulk, request);
    expect(first.statusCode).toBe(200);
    expect(Buffer.byteLength(JSON.stringify(first))).toBeLessThan(6_291_556);
    const again = await respond(rig.handlers.bulk, request);
    expect(again.headers).toMatchObject({ 'idempotent-replayed': 'true' });
    expect(again.body).toBe(first.body);
  });
});

describe('rule 19: several messages at once', () => {
  test('are sent each with its own content', async () => {
    await rig.register(phone, other);
    const second = { pushType: 'PROMO', payload: { title: 'Второе', message: 'Другое' }, msisdn: other };
    const { body } = await rig.multi([{ ...content, msisdn: phone }, second]);
    const sent = body as Sent[];
    expect(sent.map(({ msisdn, state }) => [msisdn, state])).toEqual([
      [phone, 'ENQUEUED'],
      [other, 'ENQUEUED'],
    ]);
    await rig.dispatch();
    expect(
      (await rig.outgoing()).map(({ payload, messages }) => [payload.title, messages[0]?.msisdn]),
    ).toEqual([
      ['Ваш заказ готов', phone],
      ['Второе', other],
    ]);
  });

  test('are all rejected for two that are wrong; both are named and nothing is stored', async () => {
    const wrong = { ...content, payload: { title: '', message: 'x' }, msisdn: phone };
    const response = await rig.multi([{ ...content, msisdn: phone }, wrong, { ...content, msisdn: 7 }]);
    expect(response).toMatchObject({
      status: 400,
      body: {
        status: 'REQUEST_INVALID',
        errors: [
          '[1].payload.title: required, it is empty',
          '[2].msisdn: must be a whole number of 7 to 15 digits, without +',
        ],
      },
    });
    expect(await rig.table.rows()).toEqual([]);
  });

  test('of 1,000 are taken, 1,001 are too many', async () => {
    const many = Array.from({ length: 1_001 }, (_, n) => ({ ...content, msisdn: 79_000_000_000 + n }));
    expect(await rig.multi(many)).toMatchObject({ status: 503, body: { status: 'BATCH_SIZE_EXCEEDED' } });
    const { status, body } = await rig.multi(many.slice(1));
    expect(status).toBe(200);
    expect(body).toHaveLength(1_000);
  });
});

describe("the wallet's recipients", () => {
  test('are counted', async () => {
    expect(
      await call(rig.handlers.recipients, { body: { registered: [phone, phone], unregistered: [other] } }),
    ).toMatchObject({
      status: 200,
      body: { registered: 1, unregistered: 1 },
    });
  });

  test('leaves the number registered nowhere that a simulated wallet platform never registers', async () => {
    const rig = await pushRig();
    await rig.register(79_999_990_001);
    expect((await rig.single({ ...content, msisdn: 79_999_990_001 })).body).toMatchObject({
      state: 'MSISDN_NOT_REGISTERED',
    });
  });

  test.each([
    ['none', {}],
    ['more than 1,000', { registered: Array.from({ length: 1_001 }, (_, n) => 79_000_000_000 + n) }],
    ['a number in both lists', { registered: [phone], unregistered: [phone] }],
  ])('%s are refused', async (_what, body) => {
    expect(await call(rig.handlers.recipients, { body })).toMatchObject({
      status: 400,
      body: { status: 'REQUEST_INVALID' },
    });
  });
});
