import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { forBars, invalid, refusal } from '../../support/http.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { place, syncRig } from './sync-rig.ts';

const rig = inEachTest(syncRig);

describe('the body', () => {
  test('rule 13: may have 4.7 MB of gzip, or as much plain JSON as fits when its quotes are escaped', async () => {
    // Bodies of these sizes are read. They are refused only because they are not valid gzip or JSON.
    expect(await rig.sendGzipped(Buffer.alloc(4_700_000))).toMatchObject(
      invalid('body: is not valid gzip; gzip it, or leave content-encoding out'),
    );
    for (const plain of ['"'.repeat(3_133_333), 'x'.repeat(6_266_666), '"'.repeat(3_000_000)])
      expect((await rig.send(plain)).status).toBe(400);
    expect((await rig.send('x'.repeat(6_266_667))).status).toBe(413);
  });

  test('rule 13: may have 100,000 places', async () => {
    const places = Array.from({ length: 100_000 }, () => 1);
    expect((await rig.sendGzipped(JSON.stringify({ places }))).status).toBe(200);
  });

  test('may begin with a byte order mark, however it comes', async () => {
    const list = `\ufeff${JSON.stringify({ places: [place('a')] })}`;
    for (const body of [list, Buffer.from(list)]) expect((await rig.send(body)).status).toBe(200);
    expect((await rig.sendGzipped(list)).status).toBe(200);
    expect(await rig.work()).toEqual([]);
    expect(await rig.stored()).toEqual([['a', 'a']]);
  });

  test.each(['application/json; charset=windows-1251', 'application/json;Charset="KOI8-R"'])(
    'rule 7: of type %s is refused with 415',
    async (contentType) => {
      const headers = { ...forBars.headers, 'content-type': contentType };
      expect(await rig.send({ places: [place('a')] }, { headers })).toMatchObject(
        refusal(415, 'CHARSET_UNSUPPORTED', expect.stringMatching(/ is not supported, send UTF-8$/)),
      );
    },
  );

  test.each([
    [
      'more than 4.7 MB of gzip',
      Buffer.alloc(4_700_001),
      /^body: 4700001 bytes sent, the limit is 4700000; gzip it or send less$/,
    ],
    [
      'quotes that take more than an event has room for when they are escaped',
      '"'.repeat(3_133_334),
      /^body: 3133334 bytes sent, 6266670 with its quotes escaped, of which 6266668 fit; gzip it or send less$/,
    ],
    [
      'more than 64 MB once gunzipped',
      gzipSync(Buffer.alloc(64_000_001, 32)),
      /^body: more than 64000000 bytes once gunzipped/,
    ],
    [
      'more than 100,000 places',
      { places: Array.from({ length: 100_001 }, () => 1) },
      /^places: 100001 elements, the limit is 100000/,
    ],
  ])('with %s is refused with 413', async (_what, body, sentence) => {
    const response = await (Buffer.isBuffer(body) ? rig.sendGzipped(body) : rig.send(body));
    expect(response).toMatchObject(refusal(413, 'BODY_TOO_LARGE', expect.stringMatching(sentence)));
  });

  test.each([
    ['no places', {}, 'places: required'],
    [
      'no place at all',
      { places: [] },
      'places: must have at least 1 element; to remove all service points, send none with "confirmRemovals": true',
    ],
    ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'body: is not valid UTF-8; send UTF-8'],
  ])('with %s is refused with 400 and a sentence', async (_what, body, sentence) => {
    expect(await rig.send(body)).toMatchObject(invalid(sentence));
  });
});
