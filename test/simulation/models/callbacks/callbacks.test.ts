import { expect, test } from 'vitest';
import { expectReached, runModel, timeLimitMs } from '../model-run.ts';
import {
  breakDown,
  change,
  deliver,
  deliverAll,
  deliverBatch,
  duplicate,
  enable,
  exhaust,
  failForDays,
  good,
  loseRetries,
  nextDue,
  pass,
  passTime,
  probe,
  race,
  replay,
  replayOf,
  resume,
} from './callback-commands.ts';
import {
  type CallbackModel,
  type CallbackWorld,
  collect,
  hand,
  newCallbackWorld,
  ready,
} from './callback-world.ts';
import { seen as seenExactly } from './exact-step.ts';
import { allIndexed, checkInvariants } from './invariants.ts';
import { seen } from './race.ts';

/** The partner recovers, and operators do their part: in the end every callback was delivered. */
async function recover(model: CallbackModel, world: CallbackWorld): Promise<void> {
  world.behave(good);
  await world.rig.endpoints.enable('bars');
  await checkInvariants(model, world, true);
  for (const [messageId, row] of await world.rows())
    if (row.status === 'skipped' || row.status === 'failed') await replayOf(model, world, messageId);
  for (let rounds = 1; rounds <= 300; rounds++) {
    await world.rig.resume();
    await collect(model, world);
    for (const queued of ready(model))
      await hand(model, world, { worker: world.newInstance(), messages: [queued] });
    await collect(model, world);
    const rows = await checkInvariants(model, world, true);
    const due = [...rows.values()].flatMap(({ dueAt }) => dueAt ?? []);
    if (due.length === 0 && model.queue.length === 0) break;
    await pass(model, world, Math.min(...due, ...model.queue.map(({ readyAt }) => readyAt)));
  }
  const open = [...model.known.values()].filter(({ delivered }) => !delivered);
  expect(open).toEqual([]);
  for (const row of (await world.rows()).values()) expect(row.status).toBe('delivered');
}

test(
  'callbacks are attempted once for each version, wait as agreed, and none is lost, whatever the partner and we do',
  async () => {
    await runModel<CallbackModel, CallbackWorld>({
      name: 'callbacks',
      runs: 9,
      maxCommands: 32,
      commands: [
        change,
        change,
        deliver,
        deliver,
        deliverAll,
        deliverAll,
        deliverBatch,
        deliverBatch,
        deliverBatch,
        race,
        breakDown,
        probe,
        probe,
        duplicate,
        loseRetries,
        passTime,
        resume,
        nextDue,
        nextDue,
        exhaust,
        failForDays,
        enable,
        enable,
        replay,
      ],
      setup: async () => {
        const real = await newCallbackWorld();
        return { model: { known: new Map(), queue: [], nowMs: real.rig.clock.now() }, real };
      },
      finish: async (model, world) => {
        await allIndexed(world);
        await recover(model, world);
      },
    });
    expectReached({ ...seen, ...seenExactly }, 1);
  },
  timeLimitMs,
);
