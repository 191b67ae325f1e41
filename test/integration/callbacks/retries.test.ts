import { expect, test } from 'vitest';
import { scheduledAttemptAt } from '../../../shared/callbacks/listing/shown-callback.ts';
import { CallbackRow } from '../../../shared/callbacks/rows/callback-store.ts';
import { dueIndex } from '../../../shared/callbacks/rows/due-index.ts';
import { day, second } from '../../support/clock.ts';
import { collectLines } from '../../support/log-lines.ts';
import { rigWithPartner } from './callbacks-rig.ts';
import { reply } from './loopback-partner.ts';

/** A callback of bars whose first attempt has just failed. */
async function failedOnce() {
  const rig = await rigWithPartner();
  rig.partner.responses(reply(500));
  await rig.changeAndWork('m1');
  return rig;
}

/** The same, whose delayed message is lost, and whose row is due now. */
async function dueAgain() {
  const rig = await failedOnce();
  rig.records();
  rig.clock.advance(5 * second);
  return rig;
}

test('rule 23: a callback whose tenth attempt fails is kept as failed for 30 days from then on', async () => {
  const { partner, keepOne, sweepAndWork, retry, row, clock } = await rigWithPartner();
  partner.responses(reply(500));
  const keptUntil = () => clock.now() / second + 30 * 86_400;
  const end = keptUntil();
  await keepOne('m1', { tries: 8 });
  clock.advance(day);
  await sweepAndWork();
  expect(await row('m1')).toMatchObject({ status: 'waiting', tries: 9, expiresAt: end });
  await retry('m1');
  const kept = await row('m1');
  const failed = { status: 'failed', reason: 'all attempts failed', tries: 10, attempts: [{}, {}] };
  expect(kept).toMatchObject({ ...failed, expiresAt: keptUntil() });
  expect(kept).not.toHaveProperty('dueAt');
});

test('rule 22: a retry carries the same webhook id and its own time, ends the row as delivered, and nothing is due any more', async () => {
  const { partner, retry, row, circuit, clock, sweep, records } = await failedOnce();
  partner.responses(reply(202));
  await retry('m1');
  expect(
    partner.received.map(({ headers }) => [headers['webhook-id'], headers['webhook-timestamp']]),
  ).toEqual([
    ['m1-DELIVERED', '1779278400'],
    ['m1-DELIVERED', '1779278405'],
  ]);
  const kept = await row('m1');
  const attempts = [{ httpStatus: 500 }, { httpStatus: 202 }];
  expect(kept).toMatchObject({ status: 'delivered', listedShard: 'bars#2#delivered', attempts });
  expect(kept).not.toHaveProperty('dueShard');
  expect(await circuit()).toBeUndefined();
  clock.advance(30 * day);
  await sweep();
  expect(records()).toEqual([]);
});

test('however many workers get the message of a retry, one attempts it', async () => {
  const { partner, records, newWorker, row } = await failedOnce();
  const Records = records();
  const responses = await Promise.all(Array.from({ length: 8 }, () => newWorker()({ Records })));
  expect(responses.flatMap(({ batchItemFailures }) => batchItemFailures)).toEqual([]);
  expect(partner.received).toHaveLength(2);
  expect(await row('m1')).toMatchObject({ tries: 2 });
});

test('a run of the sweep that dies between sending and marking: the next one sends the row again, and one message is attempted', async () => {
  const { work, partner, sweep, newSweep, table } = await dueAgain();
  const due = { ...dueIndex(table), markQueued: () => Promise.reject(new Error('killed')) };
  await expect(newSweep({ due })()).rejects.toThrow('killed');
  await sweep();
  partner.responses(reply(200));
  expect(await work()).toEqual({ taken: 2, failed: 0 });
  expect(partner.received).toHaveLength(2);
});

test('a retry in the queue is sent once, and again when the queue has dropped it after four days; it shows no time', async () => {
  const { work, partner, records, sweep, clock, row } = await dueAgain();
  await sweep();
  records(); // the message is lost
  clock.advance(4 * day - 1);
  await sweep();
  expect(records()).toEqual([]);
  expect(scheduledAttemptAt(CallbackRow.parse(await row('m1')))).toBeUndefined();
  clock.advance(1);
  partner.responses(reply(200));
  await sweep();
  await work();
  expect(await row('m1')).toMatchObject({ status: 'delivered', tries: 2 });
});

test('a worker that dies with a claimed row: the message is void, the row shows no time and comes back after 90 s', async () => {
  const { work, partner, records, newWorker, sweep, clock, row } = await failedOnce();
  const Records = records();
  const dies = newWorker({ client: { post: () => Promise.reject(new Error('killed')) } });
  expect((await dies({ Records })).batchItemFailures).toHaveLength(1);
  expect(scheduledAttemptAt(CallbackRow.parse(await row('m1')))).toBeUndefined();
  // The queue delivers the message again, but the claim of the dead worker still holds.
  expect((await newWorker()({ Records })).batchItemFailures).toEqual([]);
  expect(partner.received).toHaveLength(1);
  clock.advance(89 * second);
  await sweep();
  expect(records()).toEqual([]);
  clock.advance(second);
  partner.responses(reply(200));
  await sweep();
  await work();
  expect(partner.received).toHaveLength(2);
  expect(await row('m1')).toMatchObject({ status: 'delivered', tries: 2 });
});

test('a retry whose delayed message the queue did not take is sent by the sweep', async () => {
  const rig = await rigWithPartner();
  rig.partner.responses(reply(500));
  const queue = { ...rig.queue, client: { send: () => Promise.reject(new Error('away')) } as never };
  await rig.change('m1');
  const lines = collectLines();
  expect(await rig.work(rig.newWorker({ queue }))).toEqual({ taken: 1, failed: 0 });
  expect(lines).toMatchObject([{ messageId: 'm1', result: 'retry', delayedMessage: 'not taken' }]);
  await rig.retry('m1');
  expect(rig.partner.received).toHaveLength(2);
});
