import { expect, test } from 'vitest';
import { days } from '../../../shared/platform/runtime/clock.ts';
import { failingCommand } from '../../support/failing-command.ts';
import { bakery, bars, refusal } from '../../support/http.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { interceptCalls } from '../../support/intercept-calls.ts';
import { content } from '../push/push-rig.ts';
import { number, sandboxRig } from './sandbox-rig.ts';

const neverRegistered = 79_999_990_001;

const rig = inEachTest(() => sandboxRig(2));

test('rule 39: a phone that was added is reached, shows the message as sent for 7 days, and stays unopened until it is opened by hand', async () => {
  expect(await rig.put()).toMatchObject({ status: 200, body: { msisdn: number, registered: true } });
  const utm = { utmSource: 'crm' };
  const [{ messageId, state } = { messageId: '', state: '' }] = await rig.send(number, bars, { utm });
  expect(state).toBe('ENQUEUED');
  await rig.arrive();
  expect((await rig.get()).body).toMatchObject({ registered: true, messages: [] });

  rig.clock.advance(2_000);
  const shown = {
    messageId,
    sender: 'bars',
    ...content,
    utm,
    acceptedAt: '2026-05-20T12:00:00.000Z',
    deliveredAt: '2026-05-20T12:00:02.000Z',
  };
  expect((await rig.get()).body).toEqual({
    msisdn: number,
    registered: true,
    messages: [{ ...shown, state: 'DELIVERED' }],
  });

  rig.clock.advance(60_000);
  const opened = { messageId, state: 'OPENED', openedAt: '2026-05-20T12:01:02.000Z' };
  expect(await rig.open(number, bars, messageId)).toMatchObject({ status: 200, body: opened });
  rig.clock.advance(60_000);
  expect((await rig.open(number, bars, messageId.toUpperCase())).body).toEqual(opened);
  expect((await rig.get()).body).toMatchObject({ messages: [{ ...shown, ...opened }] });
  await rig.record();
  expect(await rig.statesOf(messageId)).toEqual(['ENQUEUED 15:00:00', 'OPENED 15:01:02']);

  rig.clock.advance(days(7) - 120_001);
  expect(await rig.shownOn()).toHaveLength(1);
  rig.clock.advance(1);
  expect(await rig.shownOn()).toEqual([]);
  const row = { messageId, expiresAt: 1_779_883_202 };
  expect(await rig.table.rows()).toContainEqual(expect.objectContaining(row));
});

test('rule 39: a phone is registered for its partner alone, and shows messages of its partner alone', async () => {
  await rig.put();
  expect((await rig.send(number, bakery))[0]?.state).toBe('MSISDN_NOT_REGISTERED');
  expect((await rig.get(number, bakery)).body).toEqual({ msisdn: number, registered: false, messages: [] });

  await rig.register(number);
  await rig.put(number, bakery);
  const [ours] = await rig.send(number, bars);
  const [theirs] = await rig.send(number, bakery);
  await rig.arrive();
  rig.clock.advance(2_000);
  expect(await rig.shownOn()).toEqual([ours?.messageId]);
  expect(await rig.shownOn(number, bakery)).toEqual([theirs?.messageId]);
  expect(await rig.open(number, bakery, ours?.messageId)).toMatchObject(refusal(404, 'MESSAGE_NOT_FOUND'));
});

test('a phone that was removed shows nothing and is reached only if the wallet platform has registered it', async () => {
  await rig.put();
  await rig.send(number);
  await rig.arrive();
  rig.clock.advance(2_000);
  expect(await rig.shownOn()).toHaveLength(1);
  expect((await rig.remove()).body).toEqual({ msisdn: number, registered: false });
  expect((await rig.get()).body).toEqual({ msisdn: number, registered: false, messages: [] });
  expect((await rig.send(number))[0]?.state).toBe('MSISDN_NOT_REGISTERED');

  await rig.register(number);
  expect((await rig.remove()).body).toEqual({ msisdn: number, registered: true });
  await rig.put();
  expect(await rig.shownOn()).toEqual([]);
});

test('a phone is emptied page by page, so that a request that died leaves less to the next one', async () => {
  await rig.put();
  for (let n = 0; n < 3; n++) await rig.send(number);
  await rig.arrive();
  rig.clock.advance(2_000);
  const end = interceptCalls(rig.table.client, async ({ name, input }, make) => {
    if (name === 'QueryCommand') input.Limit = 2;
    return make();
  });
  const { remove: revive } = failingCommand(rig.table.client, 'QueryCommand', 2);
  expect((await rig.remove()).status).toBe(500);
  revive();
  await rig.put();
  expect(await rig.shownOn()).toHaveLength(1);
  expect((await rig.remove()).status).toBe(200);
  end();
  await rig.put();
  expect(await rig.shownOn()).toEqual([]);
});

test('the phones of a partner are listed in the order of their numbers, until they are removed or 30 days old', async () => {
  const listed = (...msisdns: number[]) => ({
    phones: msisdns.map((msisdn) => ({ msisdn, registered: true })),
  });
  const [first, second, third] = [number, number + 1, 4_917_712_345_678];
  expect(await rig.list()).toEqual(listed());
  for (const msisdn of [second, third, first]) await rig.put(msisdn);
  await rig.put(number + 7, bakery);
  await rig.put(neverRegistered);
  expect(await rig.list()).toEqual(listed(first, second, third));
  const { cursor = '', ...page } = (await rig.list({ limit: '2' })) as { cursor?: string };
  expect(page).toEqual(listed(first, second));
  expect(await rig.list({ limit: '1', cursor })).toEqual(listed(third));
  await rig.remove(second);
  rig.clock.advance(days(30) - 1);
  expect(await rig.list()).toEqual(listed(first, third));
  rig.clock.advance(1);
  expect(await rig.list()).toEqual(listed());
});

test('a partner has 20 phones at most; adding one again is no further one', async () => {
  for (let n = 0; n < 20; n++) expect((await rig.put(number + n)).status).toBe(200);
  expect((await rig.put(number)).status).toBe(200);
  expect(await rig.put(number + 20)).toMatchObject(
    refusal(409, 'PHONE_LIMIT_EXCEEDED', 'msisdn: there are 20 phones, which is the most; delete one first'),
  );
  expect((await rig.put(number, bakery)).status).toBe(200);
  await rig.remove();
  expect((await rig.put(number + 20)).status).toBe(200);
});
