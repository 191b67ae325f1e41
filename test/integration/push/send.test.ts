import { describe, expect, test } from 'vitest';
import { call, neverKept } from '../../support/http.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { interceptCalls } from '../../support/intercept-calls.ts';
import { collectLines } from '../../support/log-lines.ts';
import { content, numbers, other, phone, pushRig, type Sent } from './push-rig.ts';

const rig = inEachTest(() => pushRig(phone));

const uuid = expect.stringMatching(
  /^[0-9a-f]{8}-[0-9a-f]{4}-[48][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
);

describe('a single message', () => {
  test('rule 6: to a registered number is ENQUEUED and reaches the outbox in the group of its partner, without what is unknown', async () => {
    const sent = { ...content, shade: 'unknown', msisdn: phone, utm: { utmSource: 'crm', addFields: 7 } };
    const lines = collectLines();
    const response = await rig.single(sent, { requestId: 'r-1' });
    expect(response).toMatchObject({
      status: 200,
      body: { messageId: uuid, state: 'ENQUEUED' },
      headers: { 'ratelimit-policy': '"recipients";q=100000;w=60', ratelimit: '"recipients";r=99999;t=60' },
    });
    const { messageId } = response.body as Sent;
    expect(lines).toMatchObject([{ messageId, registered: true, PushesAccepted: 1 }]);
    const groups: string[] = [];
    interceptCalls(rig.outbox.client, ({ input }, make) => {
      for (const { MessageGroupId } of input.Entries ?? []) groups.push(MessageGroupId);
      return make();
    });
    const outgoing = await rig.outgoing();
    // SQS serves the groups of a queue fairly.
    expect(groups).toEqual(['bars']);
    expect(outgoing).toEqual([
      {
        partnerId: 'bars',
        acceptedAt: '2026-05-20T12:00:00.000Z',
        requestId: 'r-1',
        ...content,
        utm: { utmSource: 'crm', addFields: 7 },
        messages: [{ messageId, msisdn: phone }],
      },
    ]);
    expect(JSON.stringify(await rig.table.rows())).not.toContain('shade');
  });

  test('rule 18: to another number, or one that gave the wallet up, is MSISDN_NOT_REGISTERED, and is sent to nobody', async () => {
    await rig.unregister(phone);
    for (const msisdn of [phone, other])
      expect(await rig.sent.single(msisdn)).toMatchObject({ state: 'MSISDN_NOT_REGISTERED' });
    expect(await rig.handedOver()).toEqual([]);
  });

  test.each(['TRANSACTION', 'SERVICE'])(
    'rule 17: of type %s loses its image, which is accepted',
    async (pushType) => {
      const payload = { ...content.payload, image: 'https://bars.example/i.png' };
      await rig.sent.single(phone, { pushType, payload });
      expect((await rig.outgoing())[0]?.payload).toEqual(content.payload);
    },
  );

  test('rule 17: of type PROMO keeps its image, its deeplink and members that are not nearly spelt like known ones', async () => {
    const deeplink = { target: 'campaign', campaignId: 17, campaign_ref: 'x', url: 'x' };
    const own = { badge: { count: 3 }, subtitle: 'x', msg: 'x' };
    const payload = { ...content.payload, image: 'https://bars.example/i.png', deeplink, ...own };
    const message = { pushType: 'PROMO', payload, qos: { ttl: 60 }, utm: { UtmSource: 'crm' } };
    await rig.sent.single(phone, message);
    expect((await rig.outgoing())[0]).toMatchObject(message);
  });

  // The message was sent without its deadline, or without a callback.
  test.each([
    [{ deliverDue: '2026-05-20T13:00:00Z' }, 'deliverDue: unknown here, send it as qos.deliverDue'],
  ])('rule 59: with %j a member of another object is refused, and told its place', async (more, sentence) => {
    const message = { ...content, msisdn: phone, ...more };
    expect((await rig.single(message)).headers['x-error']).toBe(`REQUEST_INVALID; ${sentence}`);
    expect((await rig.multi([message])).body).toMatchObject({ errors: [`[0].${sentence}`] });
  });

  test.each([
    [{ deliverDue: 'x', qos: { deliverDue: '2026-05-20T13:00:00Z' } }],
    [{ titel: 'x' }],
    [{ payload: { ...content.payload, deliverDue: 'x', utm: 'x' }, qos: { title: 'x' } }],
    [{ payload: { ...content.payload, dryRun: true, deeplink: { dry_run: 1 } }, qos: { dryrun: true } }],
  ])('rule 59: %j is not refused: it stands in its place too, or is passed on as given', async (more) => {
    const message = { ...content, msisdn: phone, ...more };
    expect((await rig.single(message)).status).toBe(200);
    expect((await rig.multi([message])).status).toBe(200);
  });

  test.each([
    ['a title of blanks', { title: ' \u00a0\t' }, 400],
    ['a message of blanks', { message: '   ' }, 400],
    ['a deeplink to the card', { deeplink: {} }, 200],
    ['a deeplink to all campaigns', { deeplink: { target: 'campaigns' } }, 200],
    ['an image that is no web address', { image: 'javascript:alert(1)' }, 400],
  ])('with %s', async (_what, more, status) => {
    const payload = { ...content.payload, ...more };
    expect((await rig.single({ ...content, payload, msisdn: phone })).status).toBe(status);
  });

  test('that is wrong is answered without a body; the reason is in x-error', async () => {
    const payload = { message: 'x', deeplink: { target: 'campaign' } };
    const response = await rig.single({ ...content, payload, msisdn: 7 });
    expect(response).toEqual({
      status: 400,
      headers: {
        ...neverKept,
        'x-error':
          'REQUEST_INVALID; payload.title: required; payload.deeplink.campaignId: required with target campaign; msisdn: must be a whole number of 7 to 15 digits, without +',
      },
      body: '',
    });
    const emptyId = { ...content.payload, deeplink: { campaignId: '' } };
    const sentence = 'campaignId: must be the number of a promotion, or a text of 1 to 512 characters';
    expect((await rig.single({ ...content, payload: emptyId, msisdn: phone })).headers).toMatchObject({
      'x-error': `REQUEST_INVALID; payload.deeplink.${sentence}`,
    });
    const problem = { headers: { accept: 'application/problem+json' } };
    expect(await rig.single({ ...content, msisdn: 7 }, problem)).toMatchObject({ status: 400, body: '' });
  });
});

function update(body: object) {
  return call(rig.handlers.recipients, { body });
}

test("the wallet's recipients are counted", async () => {
  const body = { registered: 1, unregistered: 1 };
  expect(await update({ registered: [phone, phone], unregistered: [other] })).toMatchObject({
    status: 200,
    body,
  });
});

test.each([
  ['none', {}, 'body: has 0 numbers in registered and unregistered, send 1 to 1000 a call'],
  [
    'more than 1,000',
    { registered: numbers(1_001) },
    'body: has 1001 numbers in registered and unregistered, send 1 to 1000 a call',
  ],
  [
    'numbers in both lists',
    { registered: [phone, other], unregistered: [phone, 79001112233, other] },
    'unregistered[0,2]: is in registered too, send it in one of them',
  ],
])("updates of the wallet's recipients are refused: %s", async (_what, sent, error) => {
  const body = { status: 'REQUEST_INVALID', errors: [error] };
  expect(await update(sent)).toMatchObject({ status: 400, body });
});
