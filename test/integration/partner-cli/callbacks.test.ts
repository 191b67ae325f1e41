import { expect, test } from 'vitest';
import type { Callback } from '../../../shared/callbacks/callback.ts';
import { noHistory, type Progress } from '../../../shared/callbacks/rows/callback-store.ts';
import { fails, partnerCliRig } from './partner-cli-rig.ts';

const hour = 3_600_000;
const noon = 1779278400000;

const skipped: Progress = { ...noHistory, status: 'skipped', reason: 'disabled' };
const failed: Progress = {
  status: 'failed',
  reason: 'answered 500',
  tries: 10,
  attempts: [{ at: noon + hour, durationMs: 12, httpStatus: 500, error: 'status' }],
};
const waiting: Progress = {
  status: 'waiting',
  dueAt: noon + 3 * hour,
  tries: 1,
  attempts: [{ at: noon + 2 * hour, durationMs: 15000, error: 'timeout' }],
};

/** Stores four callbacks an hour apart, and one of another partner. */
async function withCallbacks() {
  const rig = await partnerCliRig();
  await rig.createBars();
  await rig.createBakery();
  await rig.run('callback set bars --url https://bars.example/callback');
  const keep = (messageId: string, atMs: number, progress: Progress, more: Partial<Callback> = {}) => {
    const callback = { partnerId: 'bars', messageId, state: 'DELIVERED', msisdn: 79001234567 } as const;
    return rig.callbacks.create({ ...callback, changedAt: atMs, utm: '{"a":"b"}', ...more }, progress, atMs);
  };
  await keep('m1', noon, skipped);
  await keep('m1', noon + hour, failed, { state: 'OPENED' });
  await keep('m2', noon + 2 * hour, waiting);
  await keep('a3', noon + 3 * hour, { ...noHistory, status: 'delivered' });
  await keep('m9', noon, skipped, { partnerId: 'bakery' });
  const statuses = async () => {
    const rows = (await rig.table.rows()).filter(({ pk }) => String(pk).startsWith('CALLBACKS#bars#'));
    return rows.map(({ sk, status }) => `${String(sk).replace('#', ' ')} ${status}`).sort();
  };
  return { ...rig, statuses };
}

test('callbacks list shows what became of each, by time, without phone numbers and utm', async () => {
  const rig = await withCallbacks();
  expect((await rig.run('callbacks list bars')).out).toBe(
    `MESSAGE  STATE      REACHED               STATUS     TRIES  LAST ATTEMPT                  NEXT
m1       DELIVERED  2026-05-20T12:00:00Z  skipped    0                                    disabled
m1       OPENED     2026-05-20T13:00:00Z  failed     10     2026-05-20T13:00:00Z 500      answered 500
m2       DELIVERED  2026-05-20T14:00:00Z  waiting    1      2026-05-20T14:00:00Z timeout  2026-05-20T15:00:00Z
a3       DELIVERED  2026-05-20T15:00:00Z  delivered  0`,
  );
  expect(await rig.json('callbacks list bars --status failed')).toEqual({
    partnerId: 'bars',
    callbacks: [
      {
        messageId: 'm1',
        state: 'OPENED',
        status: 'failed',
        changedAt: '2026-05-20T13:00:00Z',
        tries: 10,
        reason: 'answered 500',
        attempts: [{ at: '2026-05-20T13:00:00Z', durationMs: 12, httpStatus: 500, error: 'status' }],
      },
    ],
    more: false,
  });
});

test('callbacks list keeps to the time and the number it is given', async () => {
  const rig = await withCallbacks();
  const ids = async (options: string) => {
    const { callbacks, more } = (await rig.json(`callbacks list bars ${options}`)) as {
      callbacks: { messageId: string }[];
      more: boolean;
    };
    return [callbacks.map(({ messageId }) => messageId), more];
  };
  expect(await ids('--since 2026-05-20T16:00:00+03:00 --until 2026-05-20T15:00:00Z')).toEqual([
    ['m1', 'm2'],
    false,
  ]);
  expect(await ids('--since 2026-05-21')).toEqual([[], false]);
  // The limit takes the latest callbacks by time, although m2 comes last by id.
  expect(await ids('--limit 2')).toEqual([['m2', 'a3'], true]);
  expect((await rig.run('callbacks list bars --limit 1')).out).toMatch(
    /\n\nThese are the latest 1 of more: narrow the time, or raise --limit\.$/,
  );
});

test('the callbacks of a message are replayed without a question', async () => {
  const rig = await withCallbacks();
  const replay = 'callbacks replay bars --message';
  expect((await rig.run(`${replay} m1`)).out).toBe(
    '2 callbacks of bars will be sent again, from the next minute on.',
  );
  expect(await rig.statuses()).toEqual([
    'a3 DELIVERED delivered',
    'm1 DELIVERED waiting',
    'm1 OPENED waiting',
    'm2 DELIVERED waiting',
  ]);
  expect(await rig.run(`${replay} m1`)).toEqual(
    fails(1, 'What is kept of message m1 waits to be sent already.'),
  );
  expect(await rig.run(`${replay} m9`)).toEqual(
    fails(1, 'No callback of message m9 is kept: unknown, too old, or delivered at once.'),
  );
});

test('skipped callbacks are replayed after a question that says how many', async () => {
  const rig = await withCallbacks();
  const person = { response: 'bars', watches: true };
  expect((await rig.run('callbacks replay bars --skipped', person)).out).toBe(
    '1 callback of bars will be sent again, from the next minute on.',
  );
  expect(rig.questions).toEqual(["1 callback will be sent to bars again.\nType the partner's id to go on: "]);
  expect(rig.progress).toEqual(['1 of 1 callback', '']);
  expect(await rig.statuses()).toContain('m1 OPENED failed');
});

test('a replay of a time takes failed and skipped ones, and is refused where they would be skipped again', async () => {
  const rig = await withCallbacks();
  await rig.run('callback disable bars --yes');
  expect(await rig.run('callbacks replay bars --message m1')).toEqual(
    fails(1, 'Callbacks of bars are disabled and would be skipped again: enable them first.'),
  );
  await rig.run('callback enable bars');
  const replayed = { partnerId: 'bars', replayed: 2 };
  expect(await rig.json('callbacks replay bars --since 2026-05-20 --yes')).toEqual(replayed);
  expect((await rig.run('callbacks replay bars --until 2026-05-21 --yes')).out).toBe(
    'There is nothing to replay to bars.',
  );
});
