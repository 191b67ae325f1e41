import { maxSkewMs } from '../core/faults.ts';
import { entry } from '../ledger.ts';
import type { World } from '../world.ts';
import type { Actor } from './actor.ts';
import { isRateRefusal, type Try } from './client.ts';
import type { createPushes, PushRequest } from './pushes.ts';

const windowMs = 60_000;

/** The windows in which a function may have counted the recipients, by the clock of its instance. */
function counted({ msisdns, isMulti, marker }: PushRequest, { startedAt }: Try, { endedAt }: Try) {
  return {
    first: Math.floor((startedAt - maxSkewMs) / windowMs),
    last: Math.floor((endedAt + maxSkewMs) / windowMs),
    count: isMulti ? msisdns.length : new Set(msisdns).size,
    marker,
  };
}

function sumOf(some: readonly { count: number }[]): number {
  return some.reduce((sum, { count }) => sum + count, 0);
}

/** Windows in a row into which more recipients fall than they allow together. */
function exceeded(requests: readonly PushRequest[], limit: number): string[] {
  const accepted = requests.flatMap((one) => {
    const taken = one.outcome.tries.find(({ response }) => !isRateRefusal(response));
    return one.elements.length > 0 && taken ? [counted(one, taken, one.outcome)] : [];
  });
  return accepted.flatMap(({ first: from, marker }) =>
    accepted.flatMap(({ last: to }) => {
      const count = sumOf(accepted.filter(({ first, last }) => first >= from && last <= to));
      const windows = Math.max(0, to - from + 1);
      return count > windows * limit ? [`${count} recipients in ${windows} minutes from ${marker}`] : [];
    }),
  );
}

/** Refusals for which there was no need, even if every call for room was repeated. */
function needless(requests: readonly PushRequest[], limit: number): string[] {
  const counts = (of: (one: Try) => boolean) =>
    requests.flatMap((one) => one.outcome.tries.filter(of).map((made) => counted(one, made, made)));
  const tries = counts(() => true);
  return counts(({ response }) => isRateRefusal(response)).flatMap(({ first, last, marker }) => {
    const most = 2 * sumOf(tries.filter((other) => other.first <= last && other.last >= first));
    return most <= limit ? [`${marker}: at most ${most} of ${limit} were taken`] : [];
  });
}

/** Rule 20: recipients a minute, counted by the clocks of the functions. */
export function createRateLimits({ partners }: World, { requests }: ReturnType<typeof createPushes>): Actor {
  return {
    does: {},
    ledger: () => {
      const wrong = (judge: typeof exceeded) =>
        partners.all.flatMap((partner) => {
          const own = requests.filter((one) => one.partner === partner);
          return judge(own, partner.limits.pushesPerMinute ?? 1_000_000);
        });
      const tries = requests.flatMap(({ outcome }) => outcome.tries);
      const refused = tries.filter(({ response }) => isRateRefusal(response)).length;
      return [
        entry('no partner sends more than was agreed for a minute', requests.length, wrong(exceeded)),
        entry('nobody is refused for a limit that was not reached', refused, wrong(needless)),
        entry('requests over a limit', refused),
      ];
    },
  };
}
