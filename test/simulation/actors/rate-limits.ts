import { entry } from '../ledger.ts';
import type { World } from '../world.ts';
import type { Actor } from './actor.ts';
import { isRateRefusal, type Try } from './client.ts';
import type { createPushes, PushRequest } from './pushes.ts';

const windowMs = 60_000;
const maxSkewMs = 2_000;

/** The windows in which a function may have counted something, by the clock of its instance. */
function windowsOf(from: number, to: number) {
  return {
    first: Math.floor((from - maxSkewMs) / windowMs),
    last: Math.floor((to + maxSkewMs) / windowMs),
  };
}

function recipientsOf({ msisdns, isMulti }: PushRequest): number {
  return isMulti ? msisdns.length : new Set(msisdns).size;
}

/** The requests that were accepted, with the windows of the tries that may have been the one that was. */
function acceptedOf(requests: readonly PushRequest[]) {
  return requests.flatMap((one) => {
    const taken = one.outcome.tries.find(({ response }) => !isRateRefusal(response));
    if (one.elements.length === 0 || !taken) return [];
    return [{ ...windowsOf(taken.startedAt, one.outcome.endedAt), count: recipientsOf(one) }];
  });
}

/** Windows in a row into which more recipients fall than they allow together. */
function exceeded(requests: readonly PushRequest[], limit: number): string[] {
  const accepted = acceptedOf(requests);
  const firsts = [...new Set(accepted.map(({ first }) => first))];
  const lasts = [...new Set(accepted.map(({ last }) => last))];
  return firsts.flatMap((from) =>
    lasts.flatMap((to) => {
      const inside = accepted.filter(({ first, last }) => first >= from && last <= to);
      const count = inside.reduce((sum, one) => sum + one.count, 0);
      return count > Math.max(0, to - from + 1) * limit
        ? [`${count} recipients in ${to - from + 1} minutes from ${new Date(from * windowMs).toISOString()}`]
        : [];
    }),
  );
}

/** Refusals for which there was no need, even if every call for room was repeated. */
function needless(requests: readonly PushRequest[], limit: number): string[] {
  const tries = requests.flatMap((one) =>
    one.outcome.tries.map((made: Try) => ({
      ...windowsOf(made.startedAt, made.endedAt),
      count: recipientsOf(one),
      isRefused: isRateRefusal(made.response),
      marker: one.marker,
    })),
  );
  return tries
    .filter(({ isRefused }) => isRefused)
    .flatMap(({ first, last, marker }) => {
      const beside = tries.filter((other) => other.first <= last && other.last >= first);
      const most = 2 * beside.reduce((sum, { count }) => sum + count, 0);
      return most <= limit ? [`${marker}: at most ${most} of ${limit} were taken`] : [];
    });
}

/** Rule 20: recipients a minute, counted by the clocks of the functions. */
export function createRateLimits({ partners }: World, { requests }: ReturnType<typeof createPushes>): Actor {
  return {
    does: {},
    ledger: () => {
      const sent = partners.partners.map(({ partnerId, pushesPerMinute = 1_000_000 }) => ({
        own: requests.filter((one) => one?.partnerId === partnerId),
        limit: pushesPerMinute,
      }));
      const refused = requests.flatMap((one) =>
        (one?.outcome.tries ?? []).filter(({ response }) => isRateRefusal(response)),
      );
      return {
        entries: [
          entry(
            'no partner sends more than was agreed for a minute',
            requests.length,
            sent.flatMap(({ own, limit }) => exceeded(own, limit)),
          ),
          entry(
            'nobody is refused for a limit that was not reached',
            refused.length,
            sent.flatMap(({ own, limit }) => needless(own, limit)),
          ),
        ],
        figures: { 'requests over a limit': refused.length },
      };
    },
  };
}
