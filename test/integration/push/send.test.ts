import { describe, expect, test } from 'vitest';
import { bulkKey } from '../../../shared/platform/table/row-keys/push.ts';
import { deleteRow } from '../../../shared/platform/table/rows.ts';
import { bulkIdFrom } from '../../../shared/push/message-id.ts';
import { failingCommand } from '../../support/failing-command.ts';
import { bars, call, neverKept, refusal, respond } from '../../support/http.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { content, numbers, other, phone, pushRig, type Sent } from './push-rig.ts';

const rig = inEachTest(pushRig);

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

  test('rule 18: to another number, or one that gave the wallet up, is MSISDN_NOT_REGISTERED, and is sent to nobody', async () => {
    await rig.register(phone);
    await rig.unregister(phone);
    for (const msisdn of [phone, other])
      expect(await rig.sent.single(msisdn)).toMatchObject({ state: 'MSISDN_NOT_REGISTERED' });
    expect(await rig.handedOver()).toEqual([]);
  });

  test.each(['TRANSACTION', 'SERVICE'])(
    'rule 17: of type %s loses its image, which is accepted',
    async (pushType) => {
      await rig.register(phone);
      const payload = { ...content.payload, image: 'https://bars.example/i.png' };
      await rig.sent.single(phone, { pushType, payload });
      await rig.dispatch();
      expect((await rig.outgoing())[0]?.payload).toEqual(content.payload);
    },
  );

  test('rule 17: of type PROMO keeps its image, its deeplink and members that are not nearly spelt like known ones', async () => {
    await rig.register(phone);
    const deeplink = { target: 'campaign', campaignId: 17, campaign_ref: 'x', url: 'x' };
    const own = { badge: { count: 3 }, subtitle: 'x', msg: 'x' };
    const payload = { ...content.payload, image: 'https://bars.example/i.png', deeplink, ...own };
    const message = { pushType: 'PROMO', payload, qos: { ttl: 60 }, utm: { UtmSource: 'crm' } };
    await rig.sent.single(phone, message);
    await rig.dispatch();
    expect((await rig.outgoing())[0]).toMatchObject(message);
  });

  // The message was sent without its deadline, or without a callback.
  test.each([
    [{ deliverDue: '2026-05-20T13:00:00Z' }, 'deliverDue: unknown here, send it as qos.deliverDue'],
    [{ target: 'campaigns' }, 'target: unknown here, send it as payload.deeplink.target'],
  ])('rule 59: with %j a member of another object is refused, and told its place', async (more, sentence) => {
    const message = { ...content, msisdn: phone, ...more };
    expect((await rig.single(message)).headers['x-error']).toBe(`REQUEST_INVALID; ${sentence}`);
    expect((await rig.multi([message])).body).toMatchObject({ errors: [`[0].${sentence}`] });
  });

  test.each([
    [{ deliverDue: 'x', qos: { deliverDue: '2026-05-20T13:00:00Z' } }],
    [{ titel: 'x' }],
    [{ payload: { ...content.payload, deliverDue: 'x', utm: 'x' }, qos: { title: 'x' } }],
  ])('rule 59: %j is not refused: it stands in its place too, or is passed on as given', async (more) => {
    expect((await rig.single({ ...content, msisdn: phone, ...more })).status).toBe(200);
  });

  const say = (payload: object) => ({
    pushType: 'SERVICE',
    payload: { ...content.payload, ...payload },
    msisdn: phone,
  });
  const payloadBytes = Buffer.byteLength(JSON.stringify({ payload: say({ more: '' }).payload }));
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
    ['4,096 bytes of payload', say({ more: 'x'.repeat(4_096 - payloadBytes) }), 200],
    ['4,097 bytes of payload', say({ more: 'x'.repeat(4_097 - payloadBytes) }), 400],
    ['a number of 7 digits', { ...content, msisdn: 1_000_000 }, 200],
    ['a number of 15 digits', { ...content, msisdn: 999_999_999_999_999 }, 200],
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

  test('that is replayed says what is left of the rate now, and takes nothing', async () => {
    const poor = { partner: { ...bars, limits: { pushesPerMinute: 10 } } };
    const keyed = { ...poor, headers: { 'idempotency-key': 'order-1' } };
    const first = await rig.single({ ...content, msisdn: phone }, keyed);
    expect(first.headers).toMatchObject({ ratelimit: '"recipients";r=9;t=60' });
    rig.clock.advance(20_000);
    await rig.bulk({ ...content, msisdn: [phone, other] }, poor);
    const replay = () => rig.single({ ...content, msisdn: phone }, keyed);
    expect((await replay()).headers).toMatchObject({
      'ratelimit-policy': '"recipients";q=10;w=60',
      ratelimit: '"recipients";r=7;t=40',
      'idempotent-replayed': 'true',
    });
    rig.clock.advance(40_000);
    expect((await replay()).headers).toMatchObject({ ratelimit: '"recipients";r=10;t=60' });
  });
});

describe('a send that is written again, by its repetition or because a write that was given up arrives late', () => {
  const qos = { deliverFrom: '2026-05-20T15:10:00+03:00' };
  const at = { partnerId: 'bars', requestId: 'r-1', acceptedAt: Date.UTC(2026, 4, 20, 12) };
  const stored = { ...content, pushType: 'SERVICE' as const };

  test.each([
    ['single', {}, 0],
    ['scheduled single', { qos }, 1],
  ])('stays as it was stored first: a %s message', async (_what, more, events) => {
    const messageId = '6cd9331a-2ebe-43d9-9e3f-6c6c5b7ba8e6';
    const message = { ...at, messageId, msisdn: phone, content: { ...stored, ...more } };
    const first = { ...message, registered: true };
    expect(await rig.deps.messages.saveSingle(first)).toMatchObject(first);
    const later = { ...message, registered: false, acceptedAt: at.acceptedAt + 60_000 };
    expect(await rig.deps.messages.saveSingle(later)).toMatchObject(first);
    expect([...(await rig.deps.messages.findMany([messageId], at.acceptedAt)).values()]).toMatchObject([
      first,
    ]);
    expect(await rig.rowsUnder('EVENTS#')).toHaveLength(events);
  });

  test('stays as it was stored first: a bulk send', async () => {
    const bulkId = bulkIdFrom('5f0c1b9e-7a52-4c0e-9a1c-2f6f7f0f7d11');
    const save = (acceptedAt: number, ...registered: number[]) => {
      const recipients = [phone, other].map((msisdn) => ({
        msisdn,
        registered: registered.includes(msisdn),
      }));
      return rig.deps.messages.saveBulk({
        ...{ ...at, acceptedAt, bulkId, recipients, contents: [stored], each: false },
      });
    };
    expect(await save(at.acceptedAt, phone)).toEqual([true, false]);
    expect(await save(at.acceptedAt + 60_000, other)).toEqual([true, false]);
    expect(await rig.deps.messages.readRegistrations(bulkId)).toEqual([true, false]);
    expect(await rig.heads()).toMatchObject([{ acceptedAt: at.acceptedAt, registeredCount: 1 }]);
  });
});

test.each(['single', 'bulk', 'multi'] as const)(
  'a %s send that died after its work is answered as it was stored, whoever was registered or not since',
  async (how) => {
    await rig.register(phone);
    const key = { headers: { 'idempotency-key': 'k1' } };
    const body = {
      single: { ...content, msisdn: phone },
      bulk: { ...content, msisdn: [phone, other] },
      multi: [phone, other].map((msisdn) => ({ ...content, msisdn })),
    }[how];
    // The request dies at its second update, which saves the response. The first one leases the rate.
    const dies = failingCommand(rig.table.client, 'UpdateItemCommand', 2);
    const first = await rig[how](body, key);
    dies.remove();
    await rig.register(other);
    await rig.unregister(phone);
    rig.clock.advance(60_000);
    const again = await rig[how](body, key);
    expect(again).toMatchObject({ status: 200, body: first.body });
    const [one, two] = [again.body].flat() as Sent[];
    expect([one?.state, two?.state]).toEqual([
      'ENQUEUED',
      how === 'single' ? undefined : 'MSISDN_NOT_REGISTERED',
    ]);
    expect(await rig.statesOf(one?.messageId ?? '')).toEqual(['ENQUEUED 2026-05-20T15:00:00+0300']);
    expect(await rig.handedOver()).toEqual([one?.messageId]);
    expect(await rig.heads()).toHaveLength(1);
  },
);

test('the parts that a first try stored are kept as long as the send that continues it a day later', async () => {
  const bulkId = bulkIdFrom('5f0c1b9e-7a52-4c0e-9a1c-2f6f7f0f7d11');
  const recipients = [phone, other].map((msisdn) => ({ msisdn, registered: true }));
  const contents = [{ ...content, pushType: 'SERVICE' as const }];
  const send = { bulkId, partnerId: 'bars', requestId: 'r1', recipients, each: false, contents };
  await rig.deps.messages.saveBulk({ ...send, acceptedAt: Date.UTC(2026, 4, 20, 12) });
  await deleteRow(rig.table, bulkKey(bulkId));
  await rig.deps.messages.saveBulk({ ...send, acceptedAt: Date.UTC(2026, 4, 21, 12) });
  const part = (await rig.table.rows()).find(({ sk }) => String(sk).startsWith('PART#'));
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

  test('goes out a thousand a message', async () => {
    await rig.register(...numbers(2_100));
    const ids = (await rig.sent.bulk(numbers(2_100))).map(({ messageId }) => messageId);
    await rig.dispatch();
    const outgoing = (await rig.outgoing()).map(({ messages }) => messages.map(({ messageId }) => messageId));
    expect(outgoing.map(({ length }) => length).sort()).toEqual([100, 1_000, 1_000]);
    expect(outgoing.flat().sort()).toEqual(ids.sort());
  });

  test.each([
    [[phone, 7], 'msisdn[1]: must be a whole number of 7 to 15 digits, without +'],
    [[], 'msisdn: must have at least 1 element'],
  ])('to %j is 400 in the shape of the contract', async (msisdn, sentence) => {
    const body = { status: 'REQUEST_INVALID', errors: [sentence] };
    expect(await rig.bulk({ ...content, msisdn })).toMatchObject({ status: 400, body });
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
    failingCommand(rig.table.client, 'PutItemCommand', 3);
    const msisdn = Array.from({ length: 5_000 }, (_, n) => (n === 0 ? phone : 79_100_000_000 + n));
    const response = await rig.bulk({ ...content, msisdn }, { requestId: 'r-1' });
    expect(response).toMatchObject(refusal(503, 'PROCESSING_FAILED', 'reference r-1'));
    await rig.dispatch();
    expect(await rig.outgoing()).toEqual([]);
  });

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
});

describe("the wallet's recipients", () => {
  const update = (body: object) => call(rig.handlers.recipients, { body });

  test('are counted', async () => {
    const body = { registered: 1, unregistered: 1 };
    expect(await update({ registered: [phone, phone], unregistered: [other] })).toMatchObject({
      status: 200,
      body,
    });
  });

  test.each([
    ['none', {}],
    ['more than 1,000', { registered: numbers(1_001) }],
    ['a number in both lists', { registered: [phone], unregistered: [phone] }],
  ])('%s are refused', async (_what, body) => {
    expect(await update(body)).toMatchObject({ status: 400, body: { status: 'REQUEST_INVALID' } });
  });
});
