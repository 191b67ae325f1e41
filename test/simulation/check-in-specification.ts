import type { Specification } from './linearizable.ts';

/** A span of time, both ends included, in milliseconds. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** What a wallet or a cash desk asked about the check-ins of one card at one place, and what it was told. */
export type CheckInCall = {
  /** What the clock of the function may have shown. */
  readonly clock: Span;
} & (
  | { readonly asks: 'open'; readonly told?: { number: number; code: string; until: number } | undefined }
  | { readonly asks: 'list'; readonly shown?: { number: number; code: string } | undefined }
  | { readonly asks: 'redeem'; readonly number: number; readonly answer?: RedeemAnswer | undefined }
);
export type RedeemAnswer = 'redeemed' | 'not active' | 'unknown';

interface Current {
  /** Absent while only its opening, which nobody was told of, gave a sign of it. */
  readonly number?: number;
  readonly code?: string;
  readonly until: Span;
}

interface CheckIns {
  readonly current?: Current;
  /** Redeemed, or expired and followed by a newer one. */
  readonly gone: readonly number[];
}

/** The check-ins of a card at a place: one at a time, each over when it is redeemed or its lifetime has ended. */
export function checkInSpecification(lifetimeMs: number): Specification<CheckIns, CheckInCall> {
  return {
    initial: { gone: [] },
    next: (state, call) => {
      const { current } = state;
      const active = current && call.clock.from < current.until.to ? current : undefined;
      const mayBeOver = !current || call.clock.to >= current.until.from;
      switch (call.asks) {
        case 'open':
          return [
            ...(call.told ? sameOrNone(state, active, call.told) : []),
            ...(mayBeOver ? opened(state, call, lifetimeMs) : []),
          ];
        case 'list':
          if (call.shown) return sameOrNone(state, active, call.shown);
          return mayBeOver ? [state] : [];
        case 'redeem':
          return redeemed(state, call, { active, mayBeOver });
      }
    },
  };
}

type Seen = { number: number; code?: string; until?: number };

/** The state in which the active check-in is the one that was seen. */
function sameOrNone(state: CheckIns, active: Current | undefined, seen: Seen): CheckIns[] {
  if (!active || state.gone.includes(seen.number)) return [];
  const { number = seen.number, code = seen.code, until } = active;
  const end = seen.until === undefined ? until : { from: seen.until, to: seen.until };
  if (number !== seen.number || (seen.code !== undefined && code !== seen.code)) return [];
  if (end.from < until.from || end.to > until.to) return [];
  return [{ gone: state.gone, current: { number, until: end, ...(code === undefined ? {} : { code }) } }];
}

function withoutCurrent({ current, gone }: CheckIns): readonly number[] {
  return current?.number === undefined ? gone : [...gone, current.number].sort((a, b) => a - b);
}

function opened(
  state: CheckIns,
  { clock, told }: CheckInCall & { asks: 'open' },
  lifetimeMs: number,
): CheckIns[] {
  const gone = withoutCurrent(state);
  const until = { from: clock.from + lifetimeMs, to: clock.to + lifetimeMs };
  if (!told) return [{ gone, current: { until } }];
  if (gone.includes(told.number) || told.until < until.from || told.until > until.to) return [];
  return [{ gone, current: { ...told, until: { from: told.until, to: told.until } } }];
}

function redeemed(
  state: CheckIns,
  { number, answer }: CheckInCall & { asks: 'redeem' },
  { active, mayBeOver }: { active: Current | undefined; mayBeOver: boolean },
): CheckIns[] {
  const isGone = state.gone.includes(number);
  const isCurrent = state.current?.number === number;
  switch (answer) {
    case 'unknown':
      return isGone || isCurrent ? [] : [state];
    case 'not active':
      return isGone || (isCurrent && mayBeOver) ? [state] : [];
    default:
      return sameOrNone(state, active, { number }).map((same) => ({ gone: withoutCurrent(same) }));
  }
}
