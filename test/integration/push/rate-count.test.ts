import { expect, test } from 'vitest';
import { bars } from '../../support/http.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { content, other, phone, pushRig } from './push-rig.ts';

const rig = inEachTest(pushRig);

/** A content whose payload, qos and utm are exactly this many bytes of JSON. */
function contentOf(bytes: number) {
  const { payload } = content;
  const withNote = (note: string) => ({ ...content, payload: { ...payload, note } });
  const empty = Buffer.byteLength(JSON.stringify({ payload: withNote('').payload }));
  return withNote('x'.repeat(bytes - empty));
}

function leftOf({ headers }: { headers: Record<string, string> }): string | undefined {
  return headers['ratelimit']?.split(';')[1];
}

function agreed(pushesPerMinute: number) {
  return { partner: { ...bars, limits: { pushesPerMinute } } };
}

test('rule 49: each message counts for its started 1,024 bytes, in a dry run too, and one to many as one each', async () => {
  const full = { ...contentOf(1_024), msisdn: phone };
  expect(leftOf(await rig.single(full, agreed(100)))).toBe('r=99');
  const one = { ...contentOf(1_025), msisdn: phone };
  expect(leftOf(await rig.single(one, agreed(100)))).toBe('r=97');
  const messages = [contentOf(4_096), content, one].map((message) => ({ ...message, msisdn: phone }));
  expect(leftOf(await rig.multi(messages, agreed(100)))).toBe('r=90');
  expect(leftOf(await rig.multi(messages, { ...agreed(100), query: { dryRun: 'true' } }))).toBe('r=83');
  // The recipients of a bulk send share one stored content.
  const bulk = { ...contentOf(4_096), msisdn: [phone, other] };
  expect(leftOf(await rig.bulk(bulk, agreed(100)))).toBe('r=81');
});

test('rule 49: bytes are those of UTF-8, and what is dropped later counts', async () => {
  const image = `https://bars.example/${'x'.repeat(500)}.png`;
  const letters = 'ж'.repeat(300);
  const one = { ...content, payload: { ...content.payload, image, letters }, msisdn: phone };
  expect(leftOf(await rig.single(one, agreed(100)))).toBe('r=98');
});

const each = 'one for each started 1,024 bytes of payload, qos and utm of a message';

test('rule 49: a refusal says how much the request counts, and why', async () => {
  rig.clock.advance(48_000);
  const heavy = { ...contentOf(3_000), msisdn: phone };
  expect((await rig.multi([heavy, heavy], agreed(8))).status).toBe(200);
  const sentence = `msisdn: the limit of 8 recipients a minute is reached: this request counts as 3 recipients, ${each}, send again after 12 s`;
  expect(await rig.multi([heavy], agreed(8))).toMatchObject({
    status: 503,
    headers: { 'retry-after': '12' },
    body: { status: 'RATE_LIMIT_EXCEEDED', errors: [sentence] },
  });
  expect((await rig.single(heavy, agreed(8))).headers['x-error']).toBe(`TOO_MANY_REQUESTS; ${sentence}`);
});

test('rule 49: what counts more than a minute takes is refused for ever, and told what it counts', async () => {
  rig.clock.advance(48_000);
  const heavy = { ...contentOf(3_000), msisdn: phone };
  await rig.single(heavy, agreed(8));
  const several = await rig.multi([heavy, heavy, heavy], agreed(8));
  const sentence = `msisdn: 3 recipients count as 9, ${each}, and never fit into 8 a minute; send several requests`;
  expect(several).toMatchObject({
    status: 503,
    headers: { ratelimit: '"recipients";r=5;t=12' },
    body: { status: 'BATCH_SIZE_EXCEEDED', errors: [sentence] },
  });
  expect(several.headers).not.toHaveProperty('retry-after');
  const least = await rig.multi([heavy, { ...content, msisdn: phone }], agreed(2));
  expect(least.body).toMatchObject({
    errors: [`msisdn: 2 recipients count as 4, ${each}, and never fit into 2 a minute; send less content`],
  });
});

test('rule 49: a single message that fits into no minute is 429, and not told to come back', async () => {
  const refused = await rig.single({ ...contentOf(3_000), msisdn: phone }, agreed(2));
  expect([refused.status, refused.body]).toEqual([429, '']);
  expect(refused.headers).toMatchObject({
    'x-error': `TOO_MANY_REQUESTS; msisdn: 1 recipient counts as 3, ${each}, and never fits into 2 a minute; send less content`,
    ratelimit: '"recipients";r=2;t=60',
  });
  expect(refused.headers).not.toHaveProperty('retry-after');
});
