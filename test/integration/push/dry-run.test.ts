import { describe, expect, test } from 'vitest';
import { bars, invalid, refusal } from '../../support/http.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { content, other, phone, pushRig } from './push-rig.ts';

const rig = inEachTest(() => pushRig(phone));

const single = { ...content, msisdn: phone };
const bulk = { ...content, msisdn: [phone, other, phone] };
const asked = { query: { dryRun: 'true' } };

/** Returns the keys of the rows that a request left, without the partner, the lease of the rate, the counter of requests and the recipients. */
async function rowsLeft(): Promise<unknown[]> {
  const rows = await rig.table.rows();
  return rows
    .map(({ pk }) => pk)
    .filter((pk) => !/^(PARTNERS$|(ACCOUNT|OFFER|RATE|MSISDN|REQUESTS)#)/.test(String(pk)));
}

describe('rule 41: a dry run', () => {
  test('of one message says what would happen, and sends nothing', async () => {
    const response = await rig.single(single, asked);
    const headers = { ratelimit: '"recipients";r=99999;t=60' };
    expect(response).toMatchObject({ status: 200, headers, body: { state: 'ENQUEUED' } });
    expect(response.body).not.toHaveProperty('messageId');
    expect(await rowsLeft()).toEqual([]);
  });

  test('of one message to many, or of several messages, answers for each of them', async () => {
    const [first, second] = [
      { msisdn: phone, state: 'ENQUEUED' },
      { msisdn: other, state: 'MSISDN_NOT_REGISTERED' },
    ];
    expect((await rig.bulk({ ...bulk, dryRun: true })).body).toEqual([first, second, first]);
    expect((await rig.bulk(bulk, asked)).body).toEqual([first, second, first]);
    expect((await rig.multi([single, { ...single, msisdn: other }], asked)).body).toEqual([first, second]);
    expect(await rowsLeft()).toEqual([]);
  });

  test('in an element of several messages is refused, and the sentence says where it belongs', async () => {
    expect(await rig.multi([single, { ...single, dryRun: true }])).toMatchObject({
      status: 400,
      body: { errors: ['[1].dryRun: unknown here, send it in the query: ?dryRun=true'] },
    });
    expect(await rowsLeft()).toEqual([]);
  });

  test('of a scheduled send is taken from the present minute, and refused where its own is full', async () => {
    const request = { partner: { ...bars, limits: { pushesPerMinute: 3 } } };
    const planned = { ...bulk, qos: { deliverFrom: '2026-05-20T12:10:00Z' } };
    const tryIt = () => rig.bulk({ ...planned, dryRun: true }, request);
    expect(await tryIt()).toMatchObject({ status: 200, headers: { ratelimit: '"recipients";r=3;t=660' } });
    const present = 'msisdn: the limit of 3 recipients a minute is reached, send again after 60 s';
    expect(await tryIt()).toMatchObject(refusal(503, 'RATE_LIMIT_EXCEEDED', present));
    expect((await rig.bulk(planned, request)).status).toBe(200);
    rig.clock.advance(60_000);
    const own = expect.stringContaining('for the minute of qos.deliverFrom, 2026-05-20T12:10Z');
    expect(await tryIt()).toMatchObject({ status: 503, body: { errors: [own] } });
  });

  test('keeps nothing under its Idempotency-Key: the send with the same key is sent', async () => {
    const keyed = { headers: { 'idempotency-key': 'k1' } };
    expect((await rig.single({ ...single, dryRun: true }, keyed)).body).toEqual({ state: 'ENQUEUED' });
    expect((await rig.single(single, keyed)).body).toHaveProperty('messageId');
    expect((await rig.bulk({ ...bulk, dryRun: true }, keyed)).headers).not.toHaveProperty(
      'idempotent-replayed',
    );
  });

  test.each([true, false])('that is %s in the body, and not so in the query, is refused', async (inBody) => {
    const query = { dryRun: `${!inBody}` };
    const sentence = `dryRun: is ${inBody} in the body and ${!inBody} in the query, send one of them`;
    expect(await rig.bulk({ ...bulk, dryRun: inBody }, { query })).toMatchObject(invalid(sentence));
  });
});
