import { expect, test } from 'vitest';
import { deliveredLog } from '../../../shared/callbacks/feed/delivered-log.ts';
import { bars } from '../../support/http.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { type Call, justBefore } from '../../support/intercept-calls.ts';
import { collectLines } from '../../support/log-lines.ts';
import { feedRig, settled, told } from './feed-rig.ts';
import { loopbackPartner, reply } from './loopback-partner.ts';

const rig = inEachTest(feedRig);

test('rule 58: an endpoint whose mode is feed needs no address, shows its secret once, and needs an address before anything is posted', async () => {
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
    ['mode (post), address changed', 'bars-office'],
    ['HTTP Basic changed', 'bars-office'],
    ['mode (feed) changed', 'bars-office'],
  ]);
});

test('rule 58: an endpoint whose mode is feed has no receiver to test or to examine, until it is post again', async () => {
  await rig.useFeed();
  const refused = { status: 409, body: { status: 'ENDPOINT_IS_FEED' } };
  expect(await rig.ask('test', { state: 'DELIVERED' })).toMatchObject(refused);
  expect(await rig.ask('examine')).toMatchObject(refused);
  await rig.endpointThatAnswers(204, { mode: 'post' });
  expect(await rig.ask('test', { state: 'DELIVERED' })).toMatchObject({ body: { delivered: true } });
});

test('rule 58: an endpoint whose mode is feed keeps callbacks as skipped while it is disabled, and a replay writes them to the feed', async () => {
  await rig.useFeed();
  await rig.ask('disable');
  const ids = await rig.storeSend(2);
  await rig.deliver(...ids);
  expect(await rig.settledIds()).toEqual([]);
  await rig.ask('enable');
  expect((await rig.ask('replay', { status: 'skipped' })).body).toEqual({ replayed: 2, more: false });
  rig.clock.advance(10_000);
  await rig.sweepAndWork(rig.newWorker());
  expect((await rig.settledIds()).sort()).toEqual(told(ids));
  expect((await rig.ask('get')).body).toMatchObject({ waiting: 0, skipped: 0 });
  expect((await rig.listed()).callbacks).toHaveLength(2);
});

test('rule 58: switching to the feed writes what waits for its next attempt when that is due, and posts nothing any more', async () => {
  const partner = await loopbackPartner();
  partner.responses(reply(500));
  await rig.ask('put', { url: partner.url });
  const [first = ''] = await rig.storeSend(1);
  await rig.deliver(first);
  expect(partner.received).toHaveLength(1);
  await rig.useFeed();
  rig.clock.set(Number((await rig.row(first))?.['dueAt']));
  rig.records();
  await rig.sweep();
  // A worker that dies before the feed has the callback must leave its row.
  const kept: unknown[] = [];
  const isWriteToFeed = ({ input }: Call) => String(input.Item?.pk).startsWith('DELIVERED#');
  justBefore(rig.table.client, isWriteToFeed, async () => kept.push(await rig.row(first)));
  const lines = collectLines();
  await rig.work(rig.newWorker());
  expect(kept).toMatchObject([{ messageId: first }]);
  expect(lines).toMatchObject([{ result: 'delivered', mode: 'feed', CallbacksDelivered: 1 }]);
  expect(await rig.settledIds()).toEqual(told([first]));
  expect(partner.received).toHaveLength(1);
  expect(await rig.row(first)).toBeUndefined();
});

test('rule 58: switching to the feed releases what an open circuit deferred, whatever the pace', async () => {
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
    await rig.sweepAndWork(rig.newWorker());
  }
  rig.clock.advance(settled);
  for (const id of (await rig.readAll()).ids) seen.add(id);
  expect([...seen].sort()).toEqual(told(ids));
  expect((await rig.ask('get')).body).toMatchObject({ circuit: { state: 'CLOSED' }, waiting: 0 });
});

test('rule 58: GET /callbacks lists what the feed has, at the time of its writing, without an attempt', async () => {
  await rig.useFeed();
  const [first, second] = (await rig.storeSend(2)) as [string, string];
  await rig.changeTogether([first]);
  rig.clock.advance(60_000);
  await rig.work(rig.newWorker());
  rig.clock.advance(-30_000);
  await rig.deliver(second);
  const shown = { state: 'DELIVERED', status: 'delivered', attempts: [] };
  expect((await rig.listed()).callbacks).toEqual([
    { messageId: first, msisdn: 79_000_000_000, ...shown },
    { messageId: second, msisdn: 79_000_000_001, ...shown },
  ]);
});

test('rule 58: GET /callbacks finds the callback of a message behind 79 later ones of that time, and says when it has not searched further', async () => {
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
  const find = async (messageId: string) => (await rig.ask('list', undefined, { query: { messageId } })).body;
  const [found = '', beyond = ''] = ids.slice(-2);
  expect(await find(found)).toEqual({ callbacks: [expect.objectContaining({ messageId: found })] });
  expect(await find(beyond)).toEqual({ callbacks: [], incomplete: true });
  // Another partner that has as many callbacks of that time would be told that it is incomplete.
  expect(await rig.states.find({ partnerId: 'bakery', messageId: beyond })).toMatchObject({ states: [] });
  rig.clock.advance(60_000);
  expect(await find(found)).toEqual({ callbacks: [] });
});
