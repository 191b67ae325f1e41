import { describe, expect, test } from 'vitest';
import { inGroups } from '../../../shared/platform/runtime/in-groups.ts';
import { bucketOf } from '../../../shared/platform/table/row-keys/row-key.ts';
import { eraseNumber } from '../../support/erase-number.ts';
import { bakery, bars, invalid } from '../../support/http.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { type Call, justBefore } from '../../support/intercept-calls.ts';
import { feedRig, settled, told } from './feed-rig.ts';

const rig = inEachTest(feedRig);

describe('rule 58: the feed', () => {
  test('has what would have been posted, byte for byte, in one write for forty callbacks', async () => {
    await rig.useFeed();
    const ids = await rig.storeSend(40);
    await rig.changeTogether(ids);
    const taken = rig.records();
    rig.table.units();
    expect(await rig.newWorker()({ Records: taken })).toEqual({ batchItemFailures: [] });
    expect(rig.table.units()).toMatchObject({ write: 1 });
    rig.clock.advance(settled);
    const { callbacks, more } = await rig.read();
    expect(callbacks.map(({ webhookId }) => webhookId)).toEqual(told(ids));
    expect(callbacks[1]).toEqual({
      webhookId: `${ids[1]}-DELIVERED`,
      time: '2026-05-20T12:00:00.000Z',
      body: `{"msisdn":79000000001,"messageId":"${ids[1]}","state":"DELIVERED","time":"2026-05-20T12:00:00Z","utm":{"utmSource":"осень 👋","campaign":9007199254740991}}`,
    });
    expect(more).toBe(false);
  });

  test('is read page by page in the order of writing over all sends, each callback once', async () => {
    await rig.useFeed();
    const written: string[] = [];
    // Rows of a send are in one bucket, which takes several queries. Each of two buckets is once ahead of the other.
    const bucketOfSend = ([id = '']: string[]) => bucketOf(id.slice(0, -4));
    const one = await rig.storeSend(40);
    let other = one;
    while (bucketOfSend(other) === bucketOfSend(one)) other = await rig.storeSend(40);
    for (const ids of inGroups([one.slice(0, 20), other, one.slice(20)].flat(), 2)) {
      rig.clock.advance(1);
      await rig.deliver(...ids);
      written.push(...told(ids));
    }
    expect(await rig.settledIds()).toEqual(written);
    for (const limit of ['30', '1']) expect((await rig.readAll({ limit })).ids).toEqual(written);
  });

  test('has fewer entries on a page where 400 of them would not fit into a response', async () => {
    await rig.useFeed();
    const ids = await rig.storeSend(400, { utm: { a: '"'.repeat(1_980) } });
    for (const some of inGroups(ids, 40)) await rig.deliver(...some);
    rig.clock.advance(settled);
    const page = await rig.read();
    expect(page.more).toBe(true);
    expect(Buffer.byteLength(JSON.stringify(JSON.stringify(page)))).toBeLessThan(6 * 1_024 * 1_024);
    // It counts once for each 100,000 characters begun, of which there are 1.6 million or more.
    const limited = { partner: { ...bars, limits: { otherRequests: 20 } } };
    const statuses = [];
    for (let n = 0; n < 5; n++) statuses.push((await rig.ask('feed', undefined, limited)).status);
    expect(statuses).toContain(429);
    const rest = await rig.readAll({ cursor: page.cursor });
    expect([...page.callbacks.map(({ webhookId }) => webhookId), ...rest.ids].sort()).toEqual(
      told(ids).sort(),
    );
  });

  test('begins at a time, and each reader goes on with its own cursor', async () => {
    await rig.useFeed();
    const [first, second, third] = (await rig.storeSend(3)) as [string, string, string];
    await rig.deliver(first);
    rig.clock.advance(60_000);
    await rig.deliver(second);
    rig.clock.advance(settled);
    const since = '2026-05-20T15:00:30+03:00';
    const one = await rig.readAll({ since });
    const other = await rig.readAll();
    expect(one.ids).toEqual(told([second]));
    expect(other.ids).toEqual(told([first, second]));
    await rig.deliver(third);
    rig.clock.advance(settled);
    for (const { cursor } of [one, other, one])
      expect((await rig.readAll({ cursor })).ids).toEqual(told([third]));
  });

  test('shows an entry 10 s after its writing, and no cursor given out before skips it', async () => {
    await rig.useFeed();
    const ids = await rig.storeSend(1);
    await rig.deliver(...ids);
    rig.clock.advance(10_000);
    const early = await rig.read();
    expect(early).toMatchObject({ callbacks: [], more: false });
    rig.clock.advance(1);
    expect((await rig.read({ cursor: early.cursor })).callbacks).toHaveLength(1);
  });

  test('has an entry again, under a new time, if its write took longer than readers wait', async () => {
    await rig.useFeed();
    const ids = await rig.storeSend(1);
    let cursor = '';
    const isEntry = ({ input }: Call) => Boolean(input.Item?.pk.startsWith('DELIVERED#'));
    justBefore(rig.table.client, isEntry, async () => {
      rig.clock.advance(12_000);
      ({ cursor } = await rig.read());
    });
    await rig.deliver(...ids);
    expect(await rig.settledIds({ cursor })).toEqual(told(ids));
    expect((await rig.readAll()).ids).toEqual(told([...ids, ...ids]));
  });

  test('reads 8 units at most for a poll without news', async () => {
    await rig.useFeed();
    await rig.deliver(...(await rig.storeSend(40)));
    rig.clock.advance(settled);
    const { cursor } = await rig.readAll();
    rig.clock.advance(settled);
    rig.table.units();
    expect(await rig.read({ cursor })).toMatchObject({ callbacks: [], more: false });
    expect(rig.table.units()).toMatchObject({ read: 8, write: 0 });
  });

  test('leaves out what is about an erased recipient', async () => {
    await rig.useFeed();
    const [first, second] = (await rig.storeSend(2)) as [string, string];
    await rig.deliver(first, second);
    await eraseNumber(rig.table, 79_000_000_000);
    expect(await rig.settledIds()).toEqual(told([second]));
  });

  test('keeps entries for 7 days, although their message ends, and shows no partner those of another', async () => {
    await rig.useFeed();
    const ids = await rig.storeSend(1);
    rig.clock.advance(30 * 86_400_000 - 1_000);
    await rig.deliver(...ids);
    rig.clock.advance(7 * 86_400_000 - 1_000);
    expect((await rig.messages.findMany(ids, rig.clock.now())).size).toBe(0);
    const { cursor, ids: kept } = await rig.readAll();
    expect(kept).toEqual(told(ids));
    expect(await rig.listed()).toMatchObject({ callbacks: [{ messageId: ids[0] }] });
    for (const query of [{}, { cursor }])
      expect((await rig.read(query, { partner: bakery })).callbacks).toEqual([]);
    const rows = await rig.table.rows();
    const inTable = rows.filter(({ pk }) => String(pk).startsWith('BULK#')).map((row) => row['expiresAt']);
    expect(inTable.map((at) => Number(at) * 1_000 > rig.clock.now())).toEqual([true, true]);
    rig.clock.advance(1_001);
    expect((await rig.readAll()).ids).toEqual([]);
  });

  test('shows in mode post what first attempts delivered, for 3 days, if the log is for all', async () => {
    await rig.endpointThatAnswers(204, { log: 'all' });
    const ids = await rig.storeSend(1);
    await rig.deliver(...ids);
    expect(await rig.settledIds()).toEqual(told(ids));
    rig.clock.advance(3 * 86_400_000);
    expect((await rig.readAll()).ids).toEqual([]);
  });

  test('refuses a cursor behind which entries may be gone, and none sooner', async () => {
    await rig.useFeed();
    const ids = await rig.storeSend(3);
    await rig.deliver(...ids);
    rig.clock.advance(7 * 86_400_000 - 1_000);
    const { cursor } = await rig.read({ limit: '1' });
    rig.clock.advance(3_600_000 + 1_000 - 1);
    expect((await rig.readAll({ cursor })).ids).toEqual(told(ids.slice(1)));
    expect((await rig.readAll({ since: '2026-05-20T12:00:00Z' })).ids).toEqual([]);
    rig.clock.advance(2);
    expect(await rig.ask('feed', undefined, { query: { cursor } })).toMatchObject(
      invalid('cursor: is older than 7 days, so entries may be gone; begin without it, or with since'),
    );
  });

  test.each([
    [{ cursor: 'x' }, 'cursor: must be the cursor of the page before, unchanged'],
    [{ since: '2026-05-20T15:00' }, 'since: must be a date and time with an offset, like 2026'],
    // A time of another zone may be in the future. A plus sign of a query is a space.
    [{ since: '2026-05-20T15:01:01 0300' }, 'since: is in the future, it is 2026-05-20T12:00:00.000Z'],
    [{ since: '2026-05-20T12:01:00.001Z' }, 'since: is in the future, it is 2026-05-20T12:00:00.000Z'],
  ])('%j is refused', async (query, sentence) => {
    const body = { errors: [expect.stringContaining(sentence)] };
    expect(await rig.ask('feed', undefined, { query })).toMatchObject({ status: 400, body });
  });

  test('takes a time up to a minute ahead, a cursor or a time, and not both', async () => {
    expect((await rig.read({ since: '2026-05-20T12:01:00Z' })).callbacks).toEqual([]);
    const { cursor } = await rig.read();
    const query = { cursor, since: '2026-05-20T00:00:00Z' };
    const body = { errors: ['since: leave it out with a cursor'] };
    expect(await rig.ask('feed', undefined, { query })).toMatchObject({ status: 400, body });
  });
});

test('rule 48: a page that reads much counts as several requests, an empty one as one', async () => {
  await rig.useFeed();
  // The PUT counts, too.
  rig.clock.advance(10_000);
  const partner = { ...bars, limits: { otherRequests: 5 } };
  const statuses: number[] = [];
  for (let n = 0; n < 6; n++) statuses.push((await rig.ask('feed', undefined, { partner })).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  rig.clock.advance(50_000);
  for (let n = 0; n < 5; n++) await rig.deliver(...(await rig.storeSend(40, { each: true })));
  rig.clock.advance(settled);
  for (const _repeat of [1, 2]) expect((await rig.read()).callbacks).toHaveLength(200);
  const counters = await rig.table.rows('REQUESTS#');
  expect(counters.map(({ requests }) => requests)).toContain(4);
});

test('rule 48: a page ends where the contents of its messages would take too much, and goes on there', async () => {
  await rig.useFeed();
  const ids: string[] = [];
  for (let n = 0; n < 15; n++) {
    rig.clock.advance(1);
    const [first = ''] = await rig.storeSend(2, { each: true });
    await rig.deliver(first);
    ids.push(first);
  }
  rig.clock.advance(settled);
  const { callbacks, more } = await rig.read();
  expect({ callbacks: callbacks.length, more }).toEqual({ callbacks: 12, more: true });
  expect((await rig.readAll()).ids).toEqual(told(ids));
});
