import { expect, test } from 'vitest';
import { bars } from '../../support/http.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { collectLines } from '../../support/log-lines.ts';
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
  // The recipients of a bulk send share one stored content, and a number that comes twice is one recipient.
  const bulk = { ...contentOf(4_096), msisdn: [phone, other, phone] };
  expect(leftOf(await rig.bulk(bulk, agreed(100)))).toBe('r=81');
});

const image = `https://bars.example/${'x'.repeat(500)}.png`;

test.each([
  [
    'an image that is dropped later, and each byte of UTF-8',
    { payload: { ...content.payload, image, letters: 'ж'.repeat(300) } },
  ],
  ['qos', { qos: { note: 'x'.repeat(1_024) } }],
  ['utm', { utm: { note: 'x'.repeat(1_024) } }],
])('rule 49: %s counts too', async (_what, long) => {
  expect(leftOf(await rig.single({ ...content, ...long, msisdn: phone }, agreed(100)))).toBe('r=98');
});

const heavy = { ...contentOf(3_000), msisdn: phone };
const one = { ...content, msisdn: phone };

function toMany(count: number, ...more: number[]) {
  return { ...content, msisdn: [...Array.from({ length: count }, (_, n) => phone + n), ...more] };
}

function asDryRun(body: object) {
  return { ...body, dryRun: true };
}

const each = 'one for each started 1,024 bytes of payload, qos and utm of a message';
const reached = 'recipients a minute is reached';
const counted = `this request counts as 3 recipients, ${each}`;
const [again, less, several] = ['send again after 12 s', 'send less content', 'send several requests'];

type Ask = readonly [route: 'single' | 'bulk' | 'multi', body: object];

// A request that fits into no minute was told to come back in 60 s, every minute again.
test.each<[perMinute: number, left: number, sentence: string, asks: Ask, before?: Ask]>([
  [2, 0, `the limit of 2 ${reached}, ${again}`, ['single', asDryRun(one)], ['multi', [one, one]]],
  [8, 2, `the limit of 8 ${reached}: ${counted}, ${again}`, ['single', heavy], ['multi', [heavy, heavy]]],
  [8, 2, `the limit of 8 ${reached}: ${counted}, ${again}`, ['multi', [heavy]], ['multi', [heavy, heavy]]],
  [100, 40, `the limit of 100 ${reached}, ${again}`, ['bulk', asDryRun(toMany(100))], ['bulk', toMany(60)]],
  [2, 2, `1 recipient counts as 3, ${each}, and never fits into 2 a minute; ${less}`, ['single', heavy]],
  [2, 2, `2 recipients count as 4, ${each}, and never fit into 2 a minute; ${less}`, ['multi', [heavy, one]]],
  [
    8,
    8,
    `3 recipients count as 9, ${each}, and never fit into 8 a minute; ${several}`,
    ['multi', [heavy, heavy, heavy]],
  ],
  [100, 100, `150 recipients never fit into 100 a minute; ${several}`, ['bulk', toMany(150)]],
])(
  'rules 20, 49: of %d a minute, a request for which %d are left is refused: %s',
  async (perMinute, left, sentence, asks, before) => {
    const ask = ([route, body]: Ask) => rig[route](body, agreed(perMinute));
    rig.clock.advance(48_000);
    if (before) await ask(before);
    const lines = collectLines();
    const response = await ask(asks);
    const isLate = sentence.endsWith(again);
    const errors = [`msisdn: ${sentence}`];
    if (asks[0] === 'single') {
      expect(response).toMatchObject({ status: 429, body: '' });
      expect(response.headers['x-error']).toBe(`TOO_MANY_REQUESTS; ${errors}`);
    } else {
      const status = isLate ? 'RATE_LIMIT_EXCEEDED' : 'BATCH_SIZE_EXCEEDED';
      expect(response).toMatchObject({ status: 503, body: { status, errors } });
      // The alarm on failed requests leaves it out.
      expect(lines).toMatchObject([{ RefusedAs503: 1 }]);
    }
    const { ratelimit, 'ratelimit-policy': policy, 'retry-after': retryAfter } = response.headers;
    expect([ratelimit, policy]).toEqual([`"recipients";r=${left};t=12`, `"recipients";q=${perMinute};w=60`]);
    expect(retryAfter).toBe(isLate ? '12' : undefined);
    rig.clock.advance(12_000);
    expect((await ask(asks)).status === 200).toBe(isLate);
  },
);
