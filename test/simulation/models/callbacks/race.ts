import { expect } from 'vitest';
import type { AttemptResult } from '../../../../shared/callbacks/attempt.ts';
import { type CallbackModel, type CallbackWorld, hand, type Queued, ready } from './callback-world.ts';
import { circuitAt } from './reference-circuit.ts';

/** What came up in all runs, where no exact step counts it. */
export const seen = { races: 0, faults: 0, replays: 0, lost: 0, halfOpenRaces: 0 };

export function pickFrom(model: CallbackModel, pick: number): Queued | undefined {
  const there = ready(model);
  return there[pick % there.length];
}

export type Race = { same: boolean; pick: number; width: number; result: AttemptResult };

/** Several new instances at once, each with its own message; or all of them with the same one. */
export async function runRace(
  model: CallbackModel,
  world: CallbackWorld,
  { same, pick, width, result }: Race,
): Promise<void> {
  const one = pickFrom(model, pick);
  if (!one) return;
  seen.races += 1;
  const fresh = ready(model).filter(({ message, receives }) => message.kind === 'retry' || receives === 0);
  const messages = same ? [one] : fresh.slice(-width);
  const { rows, circuit, isDisabled } = await world.look();
  const state = isDisabled ? 'open' : circuitAt(circuit, model.nowMs);
  const live = messages.filter(
    ({ message }) => message.kind === 'first' || rows.get(message.messageId)?.version === message.version,
  );
  const hands = same ? Array.from({ length: width }, () => ({ ...one })) : messages;
  world.behave(result);
  await Promise.all(
    hands.map((queued) => hand(model, world, { worker: world.newInstance(), messages: [queued] })),
  );
  model.queue = model.queue.filter((queued) => !messages.includes(queued));
  const posted = world.postedSoFar();
  if (state === 'open') expect(posted).toBe(0);
  if (same && one.message.kind === 'retry') expect(posted).toBeLessThanOrEqual(1);
  if (state !== 'half-open' || same || live.length === 0) return;
  seen.halfOpenRaces += 1;
  // After a probe that succeeded, whoever comes later finds the circuit closed.
  if (result.ok) expect(posted).toBeGreaterThanOrEqual(1);
  else expect(posted).toBe(1);
}
