import { gzipSync } from 'node:zlib';
import type { RawRequest } from './raw-request.ts';

type Sent = Pick<RawRequest, 'body' | 'headers' | 'chunked'>;

const gzip = { 'content-encoding': 'gzip' };

function nested(open: string, close: string, levels: number) {
  return open.repeat(levels) + close.repeat(levels);
}

/** Malformed and malicious bodies. `good` is a JSON body that the operation accepts. */
export const hostileBodies: readonly [what: string, (good: string) => Sent][] = [
  ['nothing', () => ({})],
  ['nothing, in chunks', () => ({ body: '', chunked: true })],
  ['spaces', () => ({ body: ' \n\t ' })],
  ['null', () => ({ body: 'null' })],
  ['an empty object', () => ({ body: '{}' })],
  ['an empty array', () => ({ body: '[]' })],
  ['a number too large for a float', () => ({ body: '1e400' })],
  ['minus zero', () => ({ body: '-0' })],
  ['a body with numbers too large for floats', (good) => ({ body: good.replaceAll(/\d+/g, '1e400') })],
  [
    'numbers that floats cannot tell apart',
    (good) => ({ body: good.replaceAll(/\d+/g, '9007199254740993') }),
  ],
  ['each member twice', (good) => ({ body: good.replaceAll(/("\w+":)/g, '$1null,$1') })],
  ['a prototype', (good) => ({ body: good.replaceAll('{', '{"__proto__":{"status":1,"errors":0},') })],
  ['a constructor', (good) => ({ body: good.replaceAll('{', '{"constructor":{"prototype":{"a":1}},') })],
  [
    'members of all objects',
    (good) => ({ body: good.replaceAll('{', '{"toString":1,"then":1,"toJSON":1,') }),
  ],
  ['half a surrogate pair, escaped', (good) => ({ body: good.replaceAll(/:"/g, ':"\\ud800') })],
  ['half a surrogate pair, raw', (good) => ({ body: broken(good, [0xed, 0xa0, 0x80]) })],
  ['bytes that are no UTF-8', (good) => ({ body: broken(good, [0xff, 0xfe]) })],
  ['NUL, escaped', (good) => ({ body: good.replaceAll(/:"/g, ':"\\u0000') })],
  ['NUL, raw', (good) => ({ body: good.replaceAll(/:"/g, ':"\0') })],
  ['CR LF in each text', (good) => ({ body: good.replaceAll(/:"/g, ':"\\r\\nx-injected: 1\\r\\n\\r\\n') })],
  ['a byte order mark', (good) => ({ body: `\ufeff${good}` })],
  ['UTF-16', (good) => ({ body: Buffer.from(good, 'utf16le') })],
  ['half of it', (good) => ({ body: good.slice(0, good.length / 2) })],
  ['two of them', (good) => ({ body: good + good })],
  ['it in chunks', (good) => ({ body: good, chunked: true })],
  ['30,000 levels of arrays', () => ({ body: nested('[', ']', 30_000) })],
  ['10,000 levels of objects', () => ({ body: `${'{"a":'.repeat(10_000)}0${'}'.repeat(10_000)}` })],
  ['text declared as gzip', (good) => ({ body: good, headers: gzip })],
  ['an empty body declared as gzip', () => ({ body: '', headers: gzip })],
  ['gzip of nothing', () => ({ body: gzipSync(''), headers: gzip })],
  ['half of a gzip', (good) => ({ body: gzipSync(good).subarray(0, 30), headers: gzip })],
  ['a gzip without its end', (good) => ({ body: gzipSync(good).subarray(0, -8), headers: gzip })],
  ['a gzip with a wrong checksum', (good) => ({ body: flipped(gzipSync(good)), headers: gzip })],
  [
    'a gzip and garbage',
    (good) => ({ body: Buffer.concat([gzipSync(good), Buffer.from('?!')]), headers: gzip }),
  ],
  ['two gzips', (good) => ({ body: Buffer.concat([gzipSync(good), gzipSync(good)]), headers: gzip })],
  ['a gzip in a gzip', (good) => ({ body: gzipSync(gzipSync(good)), headers: gzip })],
  ['a gzip that is not declared', (good) => ({ body: gzipSync(good) })],
  ['an unsupported encoding', (good) => ({ body: good, headers: { 'content-encoding': 'br' } })],
  ['two encodings', (good) => ({ body: good, headers: { 'content-encoding': 'gzip, gzip' } })],
  ['a form', () => ({ body: 'a=1&a=2', headers: { 'content-type': 'application/x-www-form-urlencoded' } })],
  [
    'parts',
    (good) => ({
      body: `--x\r\n\r\n${good}\r\n--x--`,
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    }),
  ],
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
export const largeBodies: typeof hostileBodies = [
  ['30,000 levels in each member', (good) => ({ body: deepMembers(good, 30_000), headers: gzip })],
  ['3 MB of brackets', () => ({ body: '['.repeat(3_000_000) })],
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

function flipped(gzipped: Buffer): Buffer {
  const at = gzipped.length - 6;
  gzipped.writeUInt8(gzipped.readUInt8(at) ^ 0xff, at);
  return gzipped;
}
