import { expect, test } from 'vitest';
import { isFailure } from '../../../shared/platform/http/failures.ts';
import { second } from '../../support/clock.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { justBefore } from '../../support/intercept-calls.ts';
import { keepRows } from './kept-rows.ts';
import { selfServiceRig } from './self-service-rig.ts';

async function sharesRig() {
  const rig = await selfServiceRig();
  await rig.saveEndpoint('https://bars.example/status');
  /** Takes as much of the limit, and returns how much of it was left. */
  const taken = async (count: number) => {
    const share = await rig.replayLimit.take('bars', count, rig.clock.now());
    return isFailure(share) ? 0 : share.taken;
  };
  return { ...rig, taken };
}

const rig = inEachTest(sharesRig);

type Some = typeof rig.replay.some;

test('rule 52: a replay that runs holds 1,000 of the limit at most, and what it brought back', async () => {
  await keepRows(rig.table, 'skipped', { from: 0, to: 3 });
  let besides: number | undefined;
  const isReplay = ({ name, input }: { name: string; input: { UpdateExpression?: string } }) =>
    name === 'UpdateItemCommand' && String(input.UpdateExpression).includes('replayedAt');
  justBefore(rig.table.client, isReplay, async () => {
    besides = await rig.taken(10_000);
  });
  expect(await rig.replayed({ status: 'skipped' })).toEqual({ replayed: 3, more: false });
  expect(besides).toBe(9_000);
  expect(await rig.taken(10_000)).toBe(997);
});

/** Replays all that it may of a list without end, each share in this time, and records where it began. */
function endless(pages: unknown[], takesMs = 0): Some {
  return async (_partnerId, _selection, { from, most = 0 } = {}) => {
    pages.push([from?.shard, most]);
    rig.clock.advance(takesMs);
    return { replayed: most, stoppedAt: { shard: pages.length } };
  };
}

test('rule 33: a replay stops at 5,000, and goes on with its cursor', async () => {
  const pages: unknown[] = [];
  rig.replay.some = endless(pages);
  const first = await rig.replayed({ status: 'failed' });
  expect(first).toEqual({ replayed: 5_000, more: true, cursor: expect.any(String) });
  expect(pages).toEqual([undefined, 1, 2, 3, 4].map((shard) => [shard, 1_000]));
  rig.replay.some = async (_partnerId, _selection, { from } = {}) => {
    expect(from).toEqual({ status: 'failed', shard: 5 });
    return { replayed: 7, stoppedAt: undefined };
  };
  const rest = { status: 'failed', cursor: first.cursor };
  expect(await rig.replayed(rest)).toEqual({ replayed: 7, more: false });
});

test('rule 33: a replay also stops after 20 s, whatever share it is at, and says where it goes on', async () => {
  const pages: unknown[] = [];
  rig.replay.some = endless(pages, 8 * second);
  const first = await rig.replayed({ status: 'failed' });
  expect(first).toEqual({ replayed: 3_000, more: true, cursor: expect.any(String) });
  expect(pages).toEqual([undefined, 1, 2].map((shard) => [shard, 1_000]));
});
