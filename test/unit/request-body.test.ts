import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readBody, readJson, smallBody } from '../../shared/platform/http/request-body.ts';

test('a small body has 64,000 bytes as sent, in whatever letters, and no more', async () => {
  const bodyOf = (body: string) => readBody({ body, isBase64Encoded: false, headers: {} }, smallBody);
  expect(await bodyOf('я'.repeat(32_000))).toMatchObject({ sentBytes: 64_000 });
  expect(await bodyOf(`${'я'.repeat(32_000)}a`)).toEqual({
    failure: 'BODY_TOO_LARGE',
    errors: ['body: 64001 bytes sent, the limit is 64000; gzip it or send less'],
  });
});

test('rule 7: half of a surrogate pair in a body that came as text is U+FFFD, which is found as damaged', async () => {
  const read = await readBody({ body: '"a\ud83d"', isBase64Encoded: false, headers: {} }, smallBody);
  expect(read).toMatchObject({ text: '"a\ufffd"' });
});

test.each([
  ['as bytes', gzipSync('{}').toString('base64'), true],
  ['as a gateway writes it that takes it for text', '\u001f\ufffd\b', false],
])('a gzipped body that does not say so is told to, %s', async (_how, body, isBase64Encoded) => {
  expect(await readBody({ body, isBase64Encoded, headers: {} }, smallBody)).toEqual({
    failure: 'REQUEST_INVALID',
    errors: ['body: is gzipped; send content-encoding: gzip, and content-type: application/octet-stream'],
  });
});

test('a body may have a million numbers that are not written as a computer writes them, and no more', () => {
  const listOf = (count: number) => `[${'1.0,'.repeat(count - 1)}1.0]`;
  expect(readJson(listOf(1_000_000))).not.toHaveProperty('failure');
  expect(readJson(listOf(1_000_001))).toMatchObject({
    failure: 'BODY_TOO_LARGE',
    errors: [
      'body: more than 1000000 numbers such as 1.10 or 1e3; send them in their shortest form, as 1.1 and 1000',
    ],
  });
});

test.each([
  ['{"places":[}', ' (at position 11, in ..."places":[})'],
  [
    '{"places":[{"itemId":"a, [b"},{"itemId":"\\"]"},,{"itemId":"c"}]}',
    ' (at position 47, in ...d":"\\"]"},,{"it)',
  ],
  ['hello', ' (at position 0, in hello)'],
  ['{"a":1 "b":2}', ' (at position 7, in {"a":1 "b":2)'],
  ['{"places":[', ', it ends too early (at position 11, after ..."places":[)'],
  ['{"a": ', ', it ends too early (at position 6, after {"a": )'],
  ['{"a": "b', ', it ends too early (at position 8, after {"a": "b)'],
])('%s is not valid JSON, and the sentence says where', (text, where) => {
  expect(readJson(text)).toMatchObject({
    failure: 'REQUEST_INVALID',
    errors: [`body: is not valid JSON${where}`],
  });
});

test('a body in UTF-16 is told to be UTF-8, with or without a byte order mark', () => {
  for (const text of ['\ufffd\ufffd{\0}\0', '{\0}\0'])
    expect(readJson(text)).toMatchObject({ errors: ['body: is not valid UTF-8; send UTF-8'] });
  expect(readJson('{"a":1}\0')).toMatchObject({ errors: [expect.stringContaining('at position 7')] });
});

test('the sentence quotes 15 characters at most: the body may be long, or cut an emoji in two', () => {
  const text = `{"a":"${'😀'.repeat(1_000)}","bc":,"password":"secret"}`;
  expect(readJson(text)).toMatchObject({
    errors: ['body: is not valid JSON (at position 2013, in ...\ufffd😀","bc":,"pas)'],
  });
});

test.each(['\v', '\f', '\u00a0', '\u2028'])(
  'a body that ends in many characters like %j, which are no white space of JSON, is quoted as shortly',
  (blank) => {
    const text = `[]${blank.repeat(100_000)}`;
    expect(readJson(text)).toMatchObject({
      errors: [`body: is not valid JSON (at position 2, in []${blank.repeat(5)})`],
    });
  },
);
