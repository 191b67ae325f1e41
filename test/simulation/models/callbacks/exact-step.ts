import { expect } from 'vitest';
import type { AttemptResult } from '../../../../shared/callbacks/attempt.ts';
import type { CallbackRow } from '../../../../shared/callbacks/callback-row.ts';
import { type CallbackModel, type CallbackWorld, hand, type Queued } from './callback-world.ts';
import { afterFailed, circuitAt, hasFailedTooLong, untouched } from './reference-circuit.ts';

/** Rule 23, in seconds: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h. */
const scheduleSeconds = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

export const seen = {
  posts: 0,
  voids: 0,
  deferred: 0,
  probes: 0,
  opened: 0,
  paused: 0,
  closed: 0,
  gone: 0,
  failedTooLong: 0,
  failedForGood: 0,
};

type Seen = Awaited<ReturnType<typeof lookAt>>;

async function lookAt(world: CallbackWorld, messageId: string) {
  const { rows, ...others } = await world.look();
  return { row: rows.get(messageId), ...others };
}

/**
 * One message, one worker that knows nothing yet: what must follow is known exactly, of the attempt, of the row
 * and of the circuit.
 */
export async function deliverExactly(
  model: CallbackModel,
  world: CallbackWorld,
  { queued, result }: { queued: Queued; result: AttemptResult },
): Promise<void> {
  const { message } = queued;
  const before = await lookAt(world, message.messageId);
  const isVoid =
    message.kind === 'first'
      ? queued.receives > 0 && before.row !== undefined
      : before.row?.status !== 'waiting' || before.row.version !== message.version;
  const already = world.postedSoFar();
  world.behave(result);
  await hand(model, world, { worker: world.newInstance(), messages: [queued] });
  const after = await lookAt(world, message.messageId);
  const { row, circuit } = after;
  const posted = world.postedSoFar() - already;
  const state = circuitAt(before.circuit, model.nowMs);

  if (isVoid) {
    seen.voids += 1;
    expect(posted).toBe(0);
    expect(after).toEqual(before);
  } else if (before.isDisabled) {
    expect(posted).toBe(0);
    // A first message that came twice finds the row of its twin.
    if (message.kind === 'retry' || !before.row)
      expect(row).toMatchObject({ status: 'skipped', reason: 'disabled' });
  } else if (state === 'open') {
    expect(posted).toBe(0);
    expect(circuit).toEqual(before.circuit);
    if (message.kind === 'retry' || !before.row) checkDeferred(model, before, row);
  } else {
    expect(posted).toBe(1);
    seen.posts += 1;
    if (state === 'half-open') seen.probes += 1;
    if (result.ok) checkDelivered(before, after);
    else if (message.kind === 'retry' || !before.row) checkFailed(model, before, { ...after, result });
    else checkCircuit(model, before, { ...after, result });
  }
}

function checkDeferred(model: CallbackModel, before: Seen, row: CallbackRow | undefined): void {
  seen.deferred += 1;
  const earlier = before.row?.deferrals ?? 0;
  expect(row).toMatchObject({ status: 'waiting', tries: before.row?.tries ?? 0, deferrals: earlier + 1 });
  const { openUntil = 0, probeUntil = 0 } = before.circuit;
  const waitMs = Number(row?.dueAt) - Math.max(openUntil, probeUntil, model.nowMs);
  const longMs = Math.min(60_000 * 4 ** earlier, 86_400_000);
  expect(waitMs).toBeGreaterThanOrEqual(longMs * 0.8);
  expect(waitMs).toBeLessThanOrEqual(longMs * 1.2);
}

function checkDelivered(before: Seen, after: Seen): void {
  expect(after.circuit).toEqual(untouched);
  if (before.row && after.row && after.row.version !== before.row.version)
    expect(after.row).toMatchObject({ status: 'delivered', tries: before.row.tries + 1 });
  if (before.circuit.openUntil === undefined) return;
  seen.closed += 1;
  expect(after.isDraining).toBe(true);
}

type Failed = Seen & { result: Extract<AttemptResult, { ok: false }> };

/** Returns what the circuit must have become, and whether the endpoint is out of service. */
function checkCircuit(model: CallbackModel, before: Seen, { circuit, isDisabled, result }: Failed) {
  const expected = afterFailed(before.circuit, model.nowMs, result);
  expect(circuit).toEqual(expected);
  if (expected.openings > before.circuit.openings) seen.opened += 1;
  if (before.circuit.openUntil === undefined && expected.openUntil !== undefined && expected.failures < 5)
    seen.paused += 1;
  const isGone = result.httpStatus === 410;
  const isDone = isGone || hasFailedTooLong(expected, model.nowMs);
  expect(isDisabled).toBe(isDone);
  if (isGone) seen.gone += 1;
  else if (isDone) seen.failedTooLong += 1;
  return { expected, isGone, isDone };
}

function checkFailed(model: CallbackModel, before: Seen, failed: Failed): void {
  const { row, result } = failed;
  const { expected, isGone, isDone } = checkCircuit(model, before, failed);
  const tries = (before.row?.tries ?? 0) + 1;
  if (isDone) {
    const reason = isGone ? 'answered 410' : 'failing for 5 days';
    expect(row).toMatchObject({ status: 'skipped', reason, tries });
    return;
  }
  if (tries === 10) {
    seen.failedForGood += 1;
    expect(row).toMatchObject({ status: 'failed', reason: 'all attempts failed', tries });
    return;
  }
  expect(row).toMatchObject({ status: 'waiting', tries, deferrals: 0 });
  const waitMs = Number(row?.dueAt) - model.nowMs;
  const plannedMs = (scheduleSeconds[tries - 1] ?? 0) * 1_000;
  const askedMs = Math.min(Number(result.retryAfter ?? 0), 86_400) * 1_000;
  const untilOpenMs = (expected.openUntil ?? 0) - model.nowMs;
  expect(waitMs).toBeGreaterThanOrEqual(Math.max(plannedMs * 0.8, askedMs, untilOpenMs));
  expect(waitMs).toBeLessThanOrEqual(Math.max(plannedMs * 1.2, askedMs, untilOpenMs));
}
