import { maxSkewMs } from './core/faults.ts';
import type { Specification } from './linearizable.ts';

/** A check-in as a wallet or a cash desk sees it. */
export type Seen = { number: number; code?: string; until?: number };

/** A request about the check-ins of one card at one place, and its result. */
export type CheckInCall =
  | { asks: 'open'; seen?: Seen }
  | { asks: 'list'; seen?: Seen | undefined }
  | { asks: 'redeem'; number: number; answer?: string };

type Current = {
  /** Missing while the only sign of the check-in is an opening without a response. */
  number?: number | undefined;
  code?: string | undefined;
  /** The check-in expires between these two times. */
  from: number;
  to: number;
};

type CheckIns = {
  current?: Current;
  /** The numbers of check-ins that were redeemed, or that expired and were followed by a newer one. */
  gone: readonly number[];
};

/** Specifies a card's check-ins at one place: one at a time, which ends by redemption or when its lifetime is over. */
export function checkInSpecification(lifetimeMs: number): Specification<CheckIns, CheckInCall> {
  return {
    initial: { gone: [] },
    // A function may outlive its request, and a call that it has given up may be made even later.
    lateMs: 60_000,
    next: (state, { call, startedAt, endedAt }) => {
      const { current, gone } = state;
      const from = startedAt - maxSkewMs;
      const to = endedAt + maxSkewMs;
      const active = current && from < current.to ? [state] : [];
      const mayBeOver = !current || to >= current.from;
      const asSeen = (some: readonly CheckIns[], seen: Seen) => some.flatMap((one) => whenSeen(one, seen));
      if (call.asks === 'open') {
        const opened = { from: from + lifetimeMs, to: to + lifetimeMs };
        const possible = mayBeOver ? [...active, { ...withoutCurrent(state), current: opened }] : active;
        return call.seen ? asSeen(possible, call.seen) : possible;
      }
      if (call.asks === 'list') {
        if (call.seen) return asSeen(active, call.seen);
        return mayBeOver ? [state] : [];
      }
      const { number, answer = 'OK' } = call;
      if (answer === 'OK') return asSeen(active, { number }).map(withoutCurrent);
      const isCurrent = current?.number === number;
      const isGone = gone.includes(number);
      if (answer === 'CHECKIN_NOT_FOUND') return isGone || isCurrent ? [] : [state];
      return isGone || (isCurrent && mayBeOver) ? [state] : [];
    },
  };
}

/** Returns the state if its current check-in may be the one that was seen. */
function whenSeen({ gone, current }: CheckIns, seen: Seen): CheckIns[] {
  if (!current || gone.includes(seen.number)) return [];
  const { number = seen.number, code = seen.code } = current;
  const { until: from = current.from, until: to = current.to } = seen;
  const isSame = number === seen.number && code === (seen.code ?? code);
  const isPossible = isSame && from >= current.from && to <= current.to;
  return isPossible ? [{ gone, current: { number, code, from, to } }] : [];
}

function withoutCurrent({ current, gone }: CheckIns): CheckIns {
  return { gone: current?.number === undefined ? gone : [...gone, current.number] };
}
