import fc from 'fast-check';
import { expect } from 'vitest';
import type { AttemptResult } from '../../../../shared/callbacks/attempt.ts';
import { type Command, command } from '../model-run.ts';
import { type Fault, titleOf } from '../table-faults.ts';
import { type CallbackModel, type CallbackWorld, collect, hand, ready } from './callback-world.ts';
import { deliverExactly } from './exact-step.ts';
import { checkInvariants } from './invariants.ts';
import { pickFrom, runRace, seen } from './race.ts';

type CallbackCommand = Command<CallbackModel, CallbackWorld>;

function failed(httpStatus: number, retryAfter?: string): AttemptResult {
  return {
    ok: false,
    error: 'status',
    httpStatus,
    durationMs: 1,
    ...(retryAfter === undefined ? {} : { retryAfter }),
  };
}

export const good: AttemptResult = { ok: true, httpStatus: 204, durationMs: 1 };
const timeout: AttemptResult = { ok: false, error: 'timeout', durationMs: 15_000 };

function titleOfResult(result: AttemptResult): string {
  return `${result.ok ? 'ok' : result.error} ${result.httpStatus ?? ''} ${'retryAfter' in result ? result.retryAfter : ''}`.trim();
}

const bad = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom(failed(500), failed(404), timeout) },
  { weight: 5, arbitrary: fc.constantFrom(failed(429, '120'), failed(503, '7200'), failed(503, '999999')) },
  { weight: 3, arbitrary: fc.constant(failed(410)) },
);
const behaviour = fc.oneof({ weight: 2, arbitrary: bad }, { weight: 1, arbitrary: fc.constant(good) });

/** Every command ends with what must always hold. */
function checked(
  title: string,
  result: AttemptResult,
  run: (model: CallbackModel, world: CallbackWorld) => Promise<void>,
): CallbackCommand {
  return command(title, async (model, world) => {
    world.behave(result);
    await run(model, world);
    await collect(model, world);
    await checkInvariants(model, world, result.ok);
  });
}

async function changeSome(model: CallbackModel, world: CallbackWorld, count: number): Promise<void> {
  for (let n = 1; n <= count; n++) {
    const messageId = `m${model.known.size + 1}`;
    model.known.set(messageId, { messageId, firsts: 0, versions: new Set(), posts: 0, delivered: false });
    await world.rig.change(messageId);
  }
  await collect(model, world);
}

export const change = fc
  .integer({ min: 1, max: 4 })
  .map((count) =>
    checked(`${count} messages change`, good, (model, world) => changeSome(model, world, count)),
  );

export const deliver = fc.record({ pick: fc.nat(30), result: behaviour }).map(({ pick, result }) =>
  checked(`deliver #${pick}, ${titleOfResult(result)}`, result, async (model, world) => {
    const queued = pickFrom(model, pick);
    if (queued) await deliverExactly(model, world, { queued, result });
  }),
);

/** Message after message, until the queue has nothing ready. */
export const deliverAll = behaviour.map((result) =>
  checked(`deliver all, ${titleOfResult(result)}`, result, async (model, world) => {
    for (const queued of ready(model)) {
      await deliverExactly(model, world, { queued, result });
      await checkInvariants(model, world, result.ok);
    }
  }),
);

const fault: fc.Arbitrary<Fault | undefined> = fc.option(
  fc.record<Fault>({
    kind: fc.constantFrom('refused', 'response lost', 'dies'),
    call: fc.integer({ min: 1, max: 5 }),
  }),
  { nil: undefined, freq: 2 },
);

/** A batch for one instance that remembers, with the table's troubles. */
export const deliverBatch = fc
  .record({ instance: fc.nat(1), size: fc.integer({ min: 1, max: 6 }), result: behaviour, fault })
  .map(({ instance, size, result, fault }) =>
    checked(
      `deliver ${size} by ${instance}, ${titleOfResult(result)}, ${titleOf(fault)}`,
      result,
      async (model, world) => {
        const worker = world.instances[instance] ?? world.newInstance();
        if (ready(model).length === 0) await changeSome(model, world, size);
        const messages = ready(model).slice(0, size);
        const { struck } = await hand(model, world, { worker, messages, fault });
        if (struck) seen.faults += 1;
      },
    ),
  );

export const race = fc
  .record({ same: fc.boolean(), pick: fc.nat(30), width: fc.integer({ min: 2, max: 4 }), result: behaviour })
  .map((which) => {
    const title = `race of ${which.width}, ${which.same ? 'one message' : 'each its own'}`;
    return checked(`${title}, ${titleOfResult(which.result)}`, which.result, (model, world) =>
      runRace(model, world, which),
    );
  });

/** Five failures in a row. */
async function breakDownNow(model: CallbackModel, world: CallbackWorld): Promise<void> {
  await changeSome(model, world, 5);
  for (const queued of ready(model)) await deliverExactly(model, world, { queued, result: failed(500) });
}

export const breakDown = fc.constant(checked('the partner breaks down', failed(500), breakDownNow));

/** To the moment at which an open circuit lets one through, and there a race for it. */
export const probe = fc
  .record({ width: fc.integer({ min: 1, max: 4 }), result: behaviour })
  .map(({ width, result }) =>
    checked(`race of ${width} for the probe, ${titleOfResult(result)}`, result, async (model, world) => {
      if ((await world.look()).isDisabled) await world.rig.endpoints.enable('bars');
      if ((await world.look()).circuit.openUntil === undefined) {
        await breakDownNow(model, world);
        await checkInvariants(model, world, false);
      }
      const { openUntil = 0, probeUntil = 0 } = (await world.look()).circuit;
      await pass(model, world, Math.max(openUntil, probeUntil));
      await changeSome(model, world, width);
      const last = model.queue.at(-1);
      if (width > 1) await runRace(model, world, { same: false, pick: 0, width, result });
      else if (last) await deliverExactly(model, world, { queued: last, result });
    }),
  );

export const duplicate = fc.nat(30).map((pick) =>
  checked(`#${pick} is in the queue twice`, good, async (model) => {
    const queued = pickFrom(model, pick);
    if (queued) model.queue.push({ ...queued });
  }),
);

/** Only the rows of retries are sure: their messages may get lost. */
export const loseRetries = fc.constant(
  checked('messages of retries are lost', good, async (model) => {
    const before = model.queue.length;
    model.queue = model.queue.filter(({ message }) => message.kind === 'first');
    seen.lost += before - model.queue.length;
  }),
);

export async function pass(model: CallbackModel, world: CallbackWorld, toMs: number): Promise<void> {
  model.nowMs = Math.max(model.nowMs, toMs);
  world.rig.clock.set(model.nowMs);
}

export const passTime = fc
  .constantFrom(1_000, 5_000, 10_000, 31_000, 61_000, 91_000, 300_001, 900_000, 3_600_000, 432_000_000)
  .map((ms) => checked(`${ms} ms pass`, good, (model, world) => pass(model, world, model.nowMs + ms)));

export const resume = fc.record({ runs: fc.integer({ min: 1, max: 3 }), fault }).map(({ runs, fault }) =>
  checked(`resume ${runs} times at once, ${titleOf(fault)}`, good, async (_, world) => {
    await world.faults.during(fault, () =>
      Promise.allSettled(Array.from({ length: runs }, () => world.rig.resume())),
    );
  }),
);

/** To the time at which the next row is due, and what then follows. */
export const nextDue = fc
  .record({ result: behaviour, times: fc.integer({ min: 1, max: 5 }) })
  .map(({ result, times }) =>
    checked(`${times} times to the next due, ${titleOfResult(result)}`, result, async (model, world) => {
      for (let n = 1; n <= times; n++) {
        const due = [...(await world.rows()).values()].flatMap(({ dueAt }) => dueAt ?? []);
        if (due.length === 0) return;
        await pass(model, world, Math.min(...due));
        await world.rig.resume();
        await collect(model, world);
        for (const queued of ready(model)) await deliverExactly(model, world, { queued, result });
        await collect(model, world);
        await checkInvariants(model, world, result.ok);
      }
    }),
  );

/** Follows one new callback alone through its attempts, all of which fail, with `waitMs` more before each. */
async function followFailing(
  model: CallbackModel,
  world: CallbackWorld,
  { attempts, waitMs }: { attempts: number; waitMs: number },
): Promise<void> {
  await changeSome(model, world, 1);
  const messageId = `m${model.known.size}`;
  for (let n = 1; n <= attempts; n++) {
    for (const queued of ready(model).filter(({ message }) => message.messageId === messageId))
      await deliverExactly(model, world, { queued, result: failed(500) });
    await collect(model, world);
    const { dueAt } = (await world.rows()).get(messageId) ?? {};
    if (dueAt === undefined) return;
    await pass(model, world, dueAt + waitMs);
    await world.rig.resume();
    await collect(model, world);
  }
}

export const exhaust = fc.constant(
  checked('a new callback fails ten times', failed(500), (model, world) =>
    followFailing(model, world, { attempts: 12, waitMs: 0 }),
  ),
);
export const failForDays = fc.constant(
  checked('a new callback fails for twenty days', failed(500), (model, world) =>
    followFailing(model, world, { attempts: 10, waitMs: 172_800_000 }),
  ),
);

export const enable = fc.constant(
  checked('the endpoint is enabled', good, async (_, world) => {
    await world.rig.endpoints.enable('bars');
  }),
);

export async function replayOf(model: CallbackModel, world: CallbackWorld, messageId: string): Promise<void> {
  const known = model.known.get(messageId);
  const ref = { partnerId: 'bars', messageId, state: 'DELIVERED' as const };
  const isReplayed = await world.rig.archive.replay(ref, model.nowMs);
  expect(isReplayed).toBe(known?.settled !== undefined);
  if (!known || !isReplayed) return;
  seen.replays += 1;
  delete known.settled;
  expect((await world.rows()).get(messageId)).toMatchObject({
    status: 'waiting',
    tries: 0,
    dueAt: model.nowMs,
  });
}

export const replay = fc.nat(30).map((pick) =>
  checked(`replay #${pick}`, good, async (model, world) => {
    const ids = [...model.known.keys()];
    const messageId = ids[pick % ids.length];
    if (messageId !== undefined) await replayOf(model, world, messageId);
  }),
);
