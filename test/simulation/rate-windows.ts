import { isRateRefusal } from './actors/client.ts';
import type { PushRequest } from './actors/push-request.ts';
import { maxSkewMs } from './core/faults.ts';
import { judgeRefusals } from './windows.ts';

const windowMs = 60_000;
/** In the simulation, a function leases a twentieth of the rate per minute at a time. */
const leasesPerWindow = 20;

type Limits = PushRequest['partner']['agreed'];
/** A send that was accepted. */
export type Accepted = { request: PushRequest; acceptedAt: number };

function recipientsOf({ msisdns, isMulti }: PushRequest): number {
  return isMulti ? msisdns.length : new Set(msisdns).size;
}

function sumOf(some: readonly number[]): number {
  return some.reduce((sum, one) => sum + one, 0);
}

/** Returns the limits that may hold in the minutes from `first` to `last`. */
function limitsIn(agreed: Limits, first: number, last: number): number[] {
  const some = agreed.in({ startedAt: first * windowMs, endedAt: (last + 1) * windowMs });
  return some.map(({ pushesPerMinute }) => pushesPerMinute ?? 100_000);
}

/** Returns the minutes in which more recipients were accepted than the limit allows. */
export function exceeded(sends: readonly Accepted[], agreed: Limits): string[] {
  const minutes = Map.groupBy(sends, ({ acceptedAt }) => Math.floor(acceptedAt / windowMs));
  return [...minutes].flatMap(([minute, some]) => {
    const count = sumOf(some.map(({ request }) => recipientsOf(request)));
    const most = Math.max(...limitsIn(agreed, minute, minute));
    return count > most ? [`${count} recipients in minute ${minute}, ${most} at most`] : [];
  });
}

/**
 * Rule 20: returns refusals that the limit did not require. A function leases a block of recipients, and what it does
 * not spend is refused to other functions. With faults, a killed try may have leased a block, too, and a call that is
 * repeated after another one has counted counts twice.
 */
export function needless(requests: readonly PushRequest[], agreed: Limits, isCalm: boolean): string[] {
  const clock = { windowMs, skewMs: isCalm ? 0 : maxSkewMs };
  const tries = requests.flatMap((request) =>
    request.outcome.tries.map(({ response, ...span }) => ({
      ...span,
      marker: request.marker,
      count: recipientsOf(request),
      isRefused: isRateRefusal(response),
      isAccepted: response?.status === 200 && !response.isReplay,
    })),
  );
  return judgeRefusals(tries, clock, (refused, others) => {
    const limits = limitsIn(agreed, refused.first, refused.last);
    const least = Math.min(...limits);
    const leased = (count: number) => Math.max(count, Math.ceil(Math.max(...limits) / leasesPerWindow));
    const most = isCalm
      ? sumOf(others.filter(({ isAccepted }) => isAccepted).map(({ count }) => leased(count))) + refused.count
      : 2 * sumOf(others.map(({ count }) => leased(count)));
    return most <= least ? [`${refused.marker}: at most ${most} of ${least} were taken`] : [];
  });
}
