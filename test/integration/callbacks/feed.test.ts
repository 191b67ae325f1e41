import { describe, expect, test } from 'vitest';
import { deliveredLog } from '../../../shared/callbacks/feed/delivered-log.ts';
import { bucketOf } from '../../../shared/platform/table/row-keys/row-key.ts';
import type { PushContent } from '../../../shared/push/sending/push-content.ts';
import { noon } from '../../support/clock.ts';
import { eraseNumber } from '../../support/erase-number.ts';
import { bakery, bars, refusal } from '../../support/http.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { type Call, justBefore } from '../../support/intercept-calls.ts';
import { collectLines } from '../../support/log-lines.ts';
import { news, storeBulk } from '../../support/store-bulk.ts';
import { loopbackPartner, reply } from './loopback-partner.ts';
import { selfServiceRig } from './self-service-rig.ts';

type Page = {
  callbacks: { webhookId: string; time: string; body: string }[];
  cursor: string;
  more: boolean;
};

type ListPage = { callbacks: { messageId: string }[]; cursor?: string };

const settled = 10_001;
const utm = { utmSource: 'осень 👋', campaign: 9007199254740991 };

async function feedRig() {
  const rig = await selfServiceRig();
  const read = async (query: Record<string, string> = {}, more = {}): Promise<Page> =>
    (await rig.ask('feed', undefined, { query, ...more })).body;
  /** Reads on until there is no more, and returns the ids of all callbacks. */
  const readAll = async (query: Record<string, string> = {}) => {
    const ids: string[] = [];
    let page = await read(query);
    for (;;) {
      ids.push(...page.callbacks.map(({ webhookId }) => webhookId));
      if (!page.more) return { ids, cursor: page.cursor };
      page = await read({ ...query, cursor: page.cursor });
    }
  };
  /** Reads all once the entries have been written for long enough to be shown. */
  const settledIds = async (query: Record<string, string> = {}) => {
    rig.clock.advance(settled);
    return (await readAll(query)).ids;
  };
  /** Lets the sweep send what is due, and a new worker process it. */
  const sweepAndWork = async () => {
    await rig.sweep();
    return rig.work(rig.newWorker());
  };
  /** Stores a bulk send, whose messages may have a content each, and returns their ids. */
  const storeSend = (count: number, { each = false } = {}) => {
    const contents = Array<PushContent>(each ? count : 1).fill({ ...news, utm });
    return storeBulk(rig.table, count, { acceptedAt: rig.clock.now(), contents });
  };
  const useFeed = () => rig.ask('put', { mode: 'feed' });
  const deliver = async (...ids: string[]) => {
    await rig.changeTogether(ids);
    await rig.work(rig.newWorker());
  };
  return { ...rig, read, readAll, settledIds, sweepAndWork, storeSend, useFeed, deliver };
}

const rig = inEachTest(feedRig);

function told(ids: readonly string[]): string[] {
  return ids.map((id) => `${id}-DELIVERED`);
}

describe('rule 58: the feed', () => {
  test('has what would have been posted, byte for byte, in one write for forty callbacks', async () => {
    await rig.useFeed();
    const ids = await rig.storeSend(40);
    await rig.changeTogether(ids);
    const taken = await rig.records();
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
    const sends = [await rig.storeSend(20), await rig.storeSend(20), await rig.storeSend(20)];
    const written: string[] = [];
    for (let n = 0; n < 20; n += 5)
      for (const ids of sends) {
        rig.clock.advance(1);
        await rig.deliver(...ids.slice(n, n + 5));
        written.push(...told(ids.slice(n, n + 5)));
      }
    // Rows of a send are in one bucket, which takes several queries then. Each of two buckets is once ahead of the other.
    const bucketOfSend = ([id = '']: string[]) => bucketOf(id.slice(0, -4));
    const one = await rig.storeSend(20);
    let other = one;
    while (bucketOfSend(other) === bucketOfSend(one)) other = await rig.storeSend(20);
    for (const id of [one.slice(0, 10), other, one.slice(10)].flat()) {
      rig.clock.advance(1);
      await rig.deliver(id);
      written.push(...told([id]));
    }
    expect(await rig.settledIds()).toEqual(written);
    for (const limit of ['10', '1']) expect((await rig.readAll({ limit })).ids).toEqual(written);
    const listed: string[] = [];
    for (let query: Record<string, string> = { limit: '7' }; query['cursor'] !== ''; ) {
      const { callbacks, cursor = '' } = (await rig.ask('list', undefined, { query })).body as ListPage;
      listed.push(...callbacks.map(({ messageId }) => `${messageId}-DELIVERED`));
      query = { limit: '7', cursor };
    }
    expect(listed.sort()).toEqual(written.sort());
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

  test('leaves out what is about an erased recipient', async () => {
    await rig.useFeed();
    const [first, second] = (await rig.storeSend(2)) as [string, string];
    await rig.deliver(first, second);
    const rows = JSON.stringify(await rig.table.rows());
    expect(rows).not.toContain('79000000001');
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
    expect((await rig.ask('list')).body).toMatchObject({ callbacks: [{ messageId: ids[0] }] });
    for (const query of [{}, { cursor }])
      expect((await rig.read(query, { partner: bakery })).callbacks).toEqual([]);
    const rows = await rig.table.rows();
    const inTable = rows.filter(({ pk }) => String(pk).startsWith('BULK#')).map((row) => row['expiresAt']);
    expect(inTable.map((at) => Number(at) * 1_000 > rig.clock.now())).toEqual([true, true]);
    rig.clock.advance(1_001);
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
      refusal(
        400,
        'REQUEST_INVALID',
        'cursor: is older than 7 days, so entries may be gone; begin without it, or with since',
      ),
    );
  });

  test('lists in GET /callbacks what it has, at the time of its writing, without an attempt', async () => {
    await rig.useFeed();
    const [first, second] = (await rig.storeSend(2)) as [string, string];
    const message = (await rig.messages.findMany([first], rig.clock.now())).get(first);
    if (!message) throw new Error('the send was not stored');
    await rig.states.record([{ message, state: 'DELIVERED', atMs: rig.clock.now() }]);
    await rig.changeTogether([first]);
    rig.clock.advance(60_000);
    await rig.work(rig.newWorker());
    rig.clock.advance(-30_000);
    await rig.deliver(second);
    const { body } = await rig.ask('list');
    expect(body).toEqual({
      callbacks: [first, second].map((messageId, n) => ({
        messageId,
        msisdn: 79_000_000_000 + n,
        state: 'DELIVERED',
        status: 'delivered',
        attempts: [],
      })),
    });
    expect((await rig.ask('list', undefined, { query: { messageId: first } })).body).toMatchObject({
      callbacks: [{ messageId: first }],
    });
  });

  test('finds the callback of a message behind 79 later ones of that time, and says when it has not searched further', async () => {
    const ids = await rig.storeSend(81);
    const changedAt = rig.clock.now();
    const log = deliveredLog(rig.table, rig.clock);
    for (const [n, messageId] of ids.entries()) {
      const callback = {
        ...bars,
        messageId,
        state: 'DELIVERED',
        msisdn: 79_000_000_000 + n,
        changedAt,
      } as const;
      await log.add('bars', [{ callback }], { keptMs: 60_000 });
    }
    const messages = await rig.messages.findMany(ids.slice(-2), changedAt);
    for (const message of messages.values())
      await rig.states.record([{ message, state: 'DELIVERED', atMs: changedAt }]);
    const find = async (messageId: string) =>
      (await rig.ask('list', undefined, { query: { messageId } })).body;
    const [found = '', beyond = ''] = ids.slice(-2);
    expect(await find(found)).toEqual({ callbacks: [expect.objectContaining({ messageId: found })] });
    expect(await find(beyond)).toEqual({ callbacks: [], incomplete: true });
    rig.clock.advance(60_000);
    expect(await find(found)).toEqual({ callbacks: [] });
  });

  test('shows in mode post what first attempts delivered, if the log is for all', async () => {
    const partner = await loopbackPartner();
    await rig.ask('put', { url: partner.url, log: 'all' });
    const ids = await rig.storeSend(3);
    await rig.deliver(...ids);
    rig.clock.advance(settled);
    expect((await rig.readAll()).ids).toEqual(told(ids));
    rig.clock.advance(3 * 86_400_000);
    expect((await rig.readAll()).ids).toEqual([]);
  });

  test.each([
    [{ cursor: 'x' }, 'cursor: must be the cursor of the page before, unchanged'],
    [
      { since: '2026-05-20T15:00:00 03:00' },
      'since: must be an ISO 8601 date-time with Z or an offset, with %2B for its +',
    ],
    // A time of another zone may be in the future.
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

describe('rule 58: an endpoint whose mode is feed', () => {
  test('needs no address, shows its secret once, and needs an address before anything is posted', async () => {
    const secret = expect.stringMatching(/^whsec_/);
    const shown = { mode: 'feed', status: 'ENABLED', timeoutSeconds: 15, log: 'failures', secret };
    expect((await rig.ask('put', { mode: 'feed' })).body).toEqual(shown);
    expect((await rig.ask('get')).body).toMatchObject({ mode: 'feed', circuit: { state: 'CLOSED' } });
    expect((await rig.ask('put', { mode: 'post' })).body.errors).toEqual(['url: is required the first time']);
    const basic = { login: 'wallet', password: 'pass:word' };
    rig.clock.advance(1);
    await rig.ask('put', { basic });
    rig.clock.advance(1);
    const url = 'https://bars.example/callbacks';
    expect((await rig.ask('put', { mode: 'post', url })).body.errors).toEqual([
      'basic: send it again for the new address, or null',
    ]);
    const posted = await rig.ask('put', { mode: 'post', url, basic });
    expect(posted.body).toMatchObject({ mode: 'post', url, basicLogin: 'wallet' });
    expect(await rig.notices()).toEqual([
      ['mode (post), address, HTTP Basic changed', 'bars-office'],
      ['HTTP Basic changed', 'bars-office'],
      ['mode (feed) changed', 'bars-office'],
    ]);
  });

  test('has no receiver to test or to examine', async () => {
    await rig.useFeed();
    const refused = { status: 409, body: { status: 'ENDPOINT_IS_FEED' } };
    expect(await rig.ask('test', { state: 'DELIVERED' })).toMatchObject(refused);
    expect(await rig.ask('examine')).toMatchObject(refused);
  });

  test('keeps callbacks as skipped while it is disabled, and a replay writes them to the feed', async () => {
    await rig.useFeed();
    await rig.ask('disable');
    const ids = await rig.storeSend(2);
    await rig.deliver(...ids);
    expect(await rig.settledIds()).toEqual([]);
    await rig.ask('enable');
    expect((await rig.ask('replay', { status: 'skipped' })).body).toEqual({ replayed: 2, more: false });
    rig.clock.advance(10_000);
    await rig.sweepAndWork();
    expect((await rig.settledIds()).sort()).toEqual(told(ids));
    expect((await rig.ask('get')).body).toMatchObject({ waiting: 0, skipped: 0 });
    const { callbacks } = (await rig.ask('list')).body as { callbacks: object[] };
    expect(callbacks).toHaveLength(2);
  });
});

describe('rule 58: switching to the feed', () => {
  test('writes what waits for its next attempt when that is due, and posts nothing any more', async () => {
    const partner = await loopbackPartner();
    partner.responses(reply(500));
    await rig.ask('put', { url: partner.url });
    const [first = ''] = await rig.storeSend(1);
    await rig.deliver(first);
    expect(partner.received).toHaveLength(1);
    await rig.useFeed();
    rig.clock.set(Number((await rig.row(first))?.['dueAt']));
    await rig.records();
    await rig.sweep();
    const lines = collectLines();
    await rig.work(rig.newWorker());
    expect(lines).toMatchObject([{ result: 'delivered', mode: 'feed', CallbacksDelivered: 1 }]);
    expect(await rig.settledIds()).toEqual(told([first]));
    expect(partner.received).toHaveLength(1);
    expect(await rig.row(first)).toBeUndefined();
  });

  test('releases what an open circuit deferred, whatever the pace', async () => {
    const partner = await loopbackPartner();
    partner.responses(reply(503, { 'retry-after': '600' }));
    await rig.ask('put', { url: partner.url });
    const ids = await rig.storeSend(40);
    await rig.deliver(...ids);
    expect((await rig.ask('get')).body).toMatchObject({ circuit: { state: 'OPEN' } });
    await rig.ask('put', { mode: 'feed', maxPerSecond: 1 });
    const seen = new Set<string>();
    for (let minute = 0; minute < 15; minute++) {
      rig.clock.advance(60_000);
      await rig.sweepAndWork();
    }
    rig.clock.advance(settled);
    for (const id of (await rig.readAll()).ids) seen.add(id);
    expect([...seen].sort()).toEqual(told(ids));
    expect((await rig.ask('get')).body).toMatchObject({ circuit: { state: 'CLOSED' }, waiting: 0 });
  });

  test('is not undone by a late 410 of the address that was called before', async () => {
    const partner = await loopbackPartner();
    await rig.ask('put', { url: partner.url });
    const [first = ''] = await rig.storeSend(1);
    partner.responses((response) => {
      void rig.useFeed().then(() => response.writeHead(410).end());
    });
    await rig.deliver(first);
    expect((await rig.ask('get')).body).toMatchObject({ mode: 'feed', status: 'ENABLED' });
  });

  test('and back posts again, and the feed keeps what it has', async () => {
    const partner = await loopbackPartner();
    await rig.useFeed();
    const [first = '', second = ''] = await rig.storeSend(2);
    await rig.deliver(first);
    await rig.ask('put', { mode: 'post', url: partner.url });
    await rig.deliver(second);
    expect(partner.states()).toEqual([`${second} DELIVERED`]);
    expect(await rig.settledIds()).toEqual(told([first]));
  });
});

test('rule 48: a page that reads much counts as several requests, an empty one as one', async () => {
  // The PUT counts, too.
  await rig.useFeed();
  const partner = { ...bars, limits: { otherRequests: 5 } };
  const statuses: number[] = [];
  for (let n = 0; n < 5; n++) statuses.push((await rig.ask('feed', undefined, { partner })).status);
  expect(statuses).toEqual([200, 200, 200, 200, 429]);
  rig.clock.set(noon);
  for (let n = 0; n < 5; n++) await rig.deliver(...(await rig.storeSend(40, { each: true })));
  rig.clock.advance(settled);
  for (const _repeat of [1, 2]) expect((await rig.read()).callbacks).toHaveLength(200);
  const counters = (await rig.table.rows()).filter(({ pk }) => String(pk).startsWith('REQUESTS#'));
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
