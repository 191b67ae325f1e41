import { isRateRefusal } from './actors/client.ts';
import type { PushRequest } from './actors/push-request.ts';
import { maxSkewMs } from './core/faults.ts';

type Span = { startedAt: number; endedAt: number };

/** The numbers of the first and the last window of the clock in which something may have been counted. */
type Windows = { first: number; last: number };

/** `skewMs` is how far the clock may be off that counts. */
type Clock = { windowMs: number; skewMs: number };

function windowsOf({ startedAt, endedAt }: Span, { windowMs, skewMs }: Clock): Windows {
  return {
    first: Math.floor((startedAt - skewMs) / windowMs),
    last: Math.floor((endedAt + skewMs) / windowMs),
  };
}

/** Judges each refused request by all that may have been counted in its windows, of which it is one. */
function judgeRefusals<One extends Span & { isRefused: boolean }>(
  requests: readonly One[],
  clock: Clock,
  judge: (refused: One & Windows, counted: readonly One[]) => string[],
): string[] {
  const all = requests.map((one) => ({ ...one, ...windowsOf(one, clock) }));
  return all
    .filter(({ isRefused }) => isRefused)
    .flatMap((refused) => {
      const counted = all.filter(({ first, last }) => first <= refused.last && last >= refused.first);
      return judge(refused, counted);
    });
}

/** One request that counts against a budget, and what its sender knows of it. */
export type BudgetedRequest = {
  startedAt: number;
  endedAt: number;
  isRefused: boolean;
  /** The instance of a function that served it; missing if the response was lost. */
  servedBy: string | undefined;
};

/** The windows of budgets, without faults. */
const budgetClock = { windowMs: 10_000, skewMs: 0 };
/** An instance may serve this many requests of a partner before it first looks at the count of the others. */
const handful = 3;

/** Rule 48: returns the windows in which more passed than the budget, half of it, and a handful for each instance. */
export function overfull(requests: readonly BudgetedRequest[], budget: number): string[] {
  const passed = requests
    .filter(({ isRefused }) => !isRefused)
    .map((one) => ({ ...one, ...windowsOf(one, budgetClock) }));
  const inOneWindow = passed.filter(({ first, last }) => first === last);
  return [...Map.groupBy(inOneWindow, ({ first }) => first)].flatMap(([window, some]) => {
    const isIn = ({ first, last }: (typeof passed)[number]) => first <= window && last >= window;
    const instances = new Set(passed.filter(isIn).map(({ servedBy }) => servedBy)).size;
    const most = Math.floor(1.5 * budget) + handful * instances;
    return some.length > most ? [`${some.length} passed in window ${window}, ${most} at most`] : [];
  });
}

/**
 * Rule 48: returns the refusals in windows in which fewer requests than the budget can have passed before. With faults,
 * clocks are wrong by up to `skewMs`, and a request may be counted twice because the table got its count again.
 */
export function needlessRefusals(
  requests: readonly BudgetedRequest[],
  budget: number,
  { skewMs, countedAtMost }: { skewMs: number; countedAtMost: number },
): string[] {
  return judgeRefusals(requests, { ...budgetClock, skewMs }, (refused, others) => {
    const before = others.filter(({ isRefused, startedAt }) => !isRefused && startedAt <= refused.endedAt);
    const most = countedAtMost * before.length;
    return most < budget ? [`refused at ${refused.endedAt} after ${most} of ${budget}`] : [];
  });
}

const minuteMs = 60_000;
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
  const some = agreed.in({ startedAt: first * minuteMs, endedAt: (last + 1) * minuteMs });
  return some.map(({ pushesPerMinute }) => pushesPerMinute ?? 100_000);
}

/** Returns the minutes in which more recipients were accepted than the limit allows. */
export function exceeded(sends: readonly Accepted[], agreed: Limits): string[] {
  const minutes = Map.groupBy(sends, ({ acceptedAt }) => Math.floor(acceptedAt / minuteMs));
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
  const clock = { windowMs: minuteMs, skewMs: isCalm ? 0 : maxSkewMs };
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
