import { createRng } from '../core/rng.ts';
import { entry } from '../ledger.ts';
import type { Action } from '../plan.ts';
import type { Actor, World } from '../world.ts';
import type { Try } from './client.ts';

type Listed = {
  messageId: string;
  state: string;
  nextAttemptAt?: string;
};

const overdueMs = 90_000;

/** Partners poll their callbacks while attempts are running. */
export function createCallbackReaders({ partners, request, time, isCalm }: World): Actor {
  const overdue: string[] = [];
  let seen = 0;

  const read = async ({ who }: Action): Promise<void> => {
    const { authorization } = partners.of(who);
    const { tries } = await request('GET /callbacks?limit=100', { authorization, persistent: true });
    const { response, startedAt } = tries.at(-1) as Try;
    const { callbacks } = (response?.body ?? {}) as { callbacks?: readonly Listed[] };
    for (const { messageId, state, nextAttemptAt } of callbacks ?? []) {
      if (nextAttemptAt === undefined) continue;
      seen += 1;
      if (Date.parse(nextAttemptAt) < startedAt - overdueMs)
        overdue.push(`${messageId}-${state} at ${startedAt}: ${nextAttemptAt}`);
    }
  };

  const follow = async (action: Action): Promise<void> => {
    const rng = createRng('callbacks', action.variant);
    for (let n = rng.between(4, 10); n > 0; n--) {
      await time.sleep(rng.pick([rng.between(1_000, 60_000), rng.between(60_000, 900_000)]));
      await read(action);
    }
  };

  return {
    does: { 'single push': follow, 'bulk push': follow, 'multi push': follow },
    // With faults, a run of the schedule may be missed, and nothing sends what is due while AWS refuses calls.
    ledger: () =>
      isCalm ? [entry('rule 33: no shown time of a next attempt has long passed', seen, overdue)] : [],
  };
}
