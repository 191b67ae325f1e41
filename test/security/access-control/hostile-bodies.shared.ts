import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isCi, seed } from '../../support/property-runs.ts';
import { type AccessFixture, sharedAccessFixture } from './access-fixture.ts';
import { createFuzzer, exampleBody, type Fuzzer, type Target, targets } from './fuzz.ts';
import type { RawRequest } from './raw-request.ts';

type Sent = Pick<RawRequest, 'body' | 'headers' | 'chunked'>;

const gzip = { 'content-encoding': 'gzip' };

function nested(open: string, close: string, levels: number) {
  return open.repeat(levels) + close.repeat(levels);
}

/** Malformed and malicious bodies. `good` is a JSON body that the operation accepts. */
const hostileBodies: readonly [what: string, (good: string) => Sent][] = [
  ['nothing', () => ({})],
  ['null', () => ({ body: 'null' })],
  ['an empty object', () => ({ body: '{}' })],
  ['a body with numbers too large for floats', (good) => ({ body: good.replaceAll(/\d+/g, '1e400') })],
  ['each member twice', (good) => ({ body: good.replaceAll(/("\w+":)/g, '$1null,$1') })],
  ['a prototype', (good) => ({ body: good.replaceAll('{', '{"__proto__":{"status":1,"errors":0},') })],
  [
    'members of all objects',
    (good) => ({ body: good.replaceAll('{', '{"toString":1,"then":1,"toJSON":1,') }),
  ],
  ['half a surrogate pair, escaped', (good) => ({ body: good.replaceAll(/:"/g, ':"\\ud800') })],
  ['bytes that are no UTF-8', (good) => ({ body: broken(good, [0xff, 0xfe]) })],
  ['NUL, escaped', (good) => ({ body: good.replaceAll(/:"/g, ':"\\u0000') })],
  ['CR LF in each text', (good) => ({ body: good.replaceAll(/:"/g, ':"\\r\\nx-injected: 1\\r\\n\\r\\n') })],
  ['a byte order mark', (good) => ({ body: `\ufeff${good}` })],
  ['UTF-16', (good) => ({ body: Buffer.from(good, 'utf16le') })],
  ['it in chunks', (good) => ({ body: good, chunked: true })],
  ['30,000 levels of arrays', () => ({ body: nested('[', ']', 30_000) })],
  ['text declared as gzip', (good) => ({ body: good, headers: gzip })],
  ['a gzip without its end', (good) => ({ body: gzipSync(good).subarray(0, -8), headers: gzip })],
  [
    'a gzip and garbage',
    (good) => ({ body: Buffer.concat([gzipSync(good), Buffer.from('?!')]), headers: gzip }),
  ],
  ['a gzip in a gzip', (good) => ({ body: gzipSync(gzipSync(good)), headers: gzip })],
  ['a gzip that is not declared', (good) => ({ body: gzipSync(good) })],
  ['an unsupported encoding', (good) => ({ body: good, headers: { 'content-encoding': 'br' } })],
  [
    'XML',
    () => ({
      body: '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/hosts">]><a>&b;</a>',
      headers: { 'content-type': 'application/xml' },
    }),
  ],
  [
    'an unknown charset',
    (good) => ({ body: good, headers: { 'content-type': 'application/json; charset=utf-7' } }),
  ],
];

/** Large bodies take seconds in all, and only a route's size limit decides which of them it refuses. */
const largeBodies: typeof hostileBodies = [
  ['30,000 levels in each member', (good) => ({ body: deepMembers(good, 30_000), headers: gzip })],
  ['6 MB of brackets, gzipped', () => ({ body: gzipSync('['.repeat(6_000_000)), headers: gzip })],
  ['2 MB of empty objects', () => ({ body: gzipSync(`[${'{},'.repeat(660_000)}0]`), headers: gzip })],
];

function broken(good: string, bytes: number[]): Buffer {
  const at = good.indexOf(':"') + 2;
  return Buffer.concat([Buffer.from(good.slice(0, at)), Buffer.from(bytes), Buffer.from(good.slice(at))]);
}

/** Gzips the body, since small bodies may have 64 kB as sent but 256 kB decompressed. */
function deepMembers(good: string, levels: number): Buffer {
  return gzipSync(
    good.replace('{', `{"more":${nested('[', ']', levels)},"payload":${nested('[', ']', levels)},`),
  );
}

let fixture: AccessFixture;
let fuzzer: Fuzzer;
beforeAll(async () => {
  fixture = await sharedAccessFixture();
  fuzzer = createFuzzer(fixture);
});
afterAll(() => {
  console.log(`Requests with hostile bodies: ${fuzzer.count()}, seed ${seed}`);
});

const withBody = targets.filter(({ body }) => body !== undefined);
const limits = withBody.map(({ operation }) => operation.bodyLimit);
const oneOfEachLimit = withBody.filter((_target, n) => limits.indexOf(limits[n]) === n);

function goodBody({ operation }: Target): string {
  return JSON.stringify(exampleBody(operation));
}

describe('by name', () => {
  const named = hostileBodies.map(([what, bodyFrom], n) => [what, bodyFrom, n] as const);
  // All operations read their bodies with the same code. CI gives each of them every body, a laptop every fourth.
  const share = isCi ? 1 : 4;

  test.each(named)('%s: every operation gives a documented response', async (_what, bodyFrom, n) => {
    for (const target of withBody.filter((_target, m) => (n + m) % share === 0))
      await fuzzer.sendAndCheck(target, { path: target.path, ...bodyFrom(goodBody(target)) });
  });

  test.each(largeBodies)(
    '%s: one operation of each limit gives a documented response',
    async (_what, bodyFrom) => {
      for (const target of oneOfEachLimit) {
        await fuzzer.sendAndCheck(target, { path: target.path, ...bodyFrom(goodBody(target)) });
      }
    },
  );
});

describe('a gzip bomb', () => {
  const sync = () => withBody.find(({ route }) => route === 'POST /places/sync') as Target;
  const list = (unit: string, count: number) => gzipSync(`{"places":[${unit.repeat(count)}0]}`);
  const objects = list('{},', 21_300_000);
  const sendBomb = async (target: Target, body: Buffer, status: number) => {
    const request = { path: target.path, body, headers: { 'content-encoding': 'gzip' } };
    expect((await fuzzer.sendAndCheck(target, request)).status).toBe(status);
  };
  const rssMb = () => Math.round(process.memoryUsage.rss() / 1_000_000);

  test('of 300 kB is refused by the size of small bodies', async () => {
    const small = withBody.filter(({ operation }) => operation.bodyLimit === undefined);
    expect(small.length).toBeGreaterThan(11);
    for (const target of small) await sendBomb(target, gzipSync(' '.repeat(300_000)), 413);
  });

  // This test found an error: the issues of 1.9 million empty messages did not fit into the function's memory.
  test('of millions of messages or recipients is refused before each is validated', async () => {
    const [bulk, multi] = ['SendBulk', 'SendMulti'].map((id) =>
      withBody.find(({ operation }) => operation.id === id),
    );
    if (!bulk || !multi) throw new Error('the bulk operations are gone');
    await sendBomb(multi, gzipSync(`[${'{},'.repeat(1_900_000)}{}]`), 503);
    const content = goodBody(bulk)
      .slice(1)
      .replace(/"msisdn":\[[^\]]*\]/, '"more":0');
    await sendBomb(bulk, gzipSync(`{"msisdn":[${'0,'.repeat(900_000)}0],${content}`), 503);
  });

  test('of 64 MB of empty objects is refused by its size, and costs no more memory when it is sent again', async () => {
    await sendBomb(sync(), objects, 413);
    const before = rssMb();
    await sendBomb(sync(), objects, 413);
    const after = rssMb();
    console.log(`Memory of the process before and after another gzip bomb: ${before} MB, ${after} MB`);
    expect(after - before).toBeLessThan(250);
    expect(after).toBeLessThan(3_000);
  });
});
