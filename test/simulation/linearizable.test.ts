import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CheckInCall, checkInSpecification } from './check-in-specification.ts';
import { checkHistory, type Operation, type Specification } from './linearizable.ts';

const lifetimeMs = 100_000;
const answers = new Map([
  ['redeem', 'OK'],
  ['refuse', 'CHECKIN_NOT_ACTIVE'],
  ['miss', 'CHECKIN_NOT_FOUND'],
]);

/** `0-9 open 1`: start, end, operation, number; then the expiry for `open`, or the code for `list`, if unusual. */
function operations(history: string, at = 0): Operation<CheckInCall>[] {
  const pattern = /(\d+)-(\d+) (lost )?(\w+) ?(\d+)? ?(\d+)?/g;
  return Array.from(history.matchAll(pattern), ([, from, to, lost, what = '', of, detail]) => {
    const number = Number(of);
    const startedAt = Number(from) + at;
    const answer = answers.get(what);
    const until = what === 'open' ? { until: Number(detail ?? startedAt + lifetimeMs) } : {};
    const code = (what === 'list' && detail) || String(number * 7);
    const seen = of === undefined ? {} : { seen: { number, code, ...until } };
    const call = answer
      ? { asks: 'redeem' as const, number, ...(lost ? {} : { answer }) }
      : { asks: what as 'open' | 'list', ...seen };
    return { call, startedAt, endedAt: Number(to) + at, isCertain: !lost };
  });
}

function check(history: readonly Operation<CheckInCall>[]) {
  return checkHistory(history, checkInSpecification(lifetimeMs));
}

const bad = {
  'redeemed twice': '0-9 open 1, 10-19 redeem 1, 20-29 redeem 1',
  'redeemed by two desks at once': '0-9 open 1, 10-30 redeem 1, 11-31 redeem 1',
  'redeemed after a lost redeem': '0-9 open 1, 10-19 lost redeem 1, 20-29 list, 30-39 redeem 1',
  'listed after a list without it': '0-9 open 1, 10-90 redeem 1, 20-29 list, 30-39 list 1',
  'not found, though it was listed': '0-9 lost open, 10-19 list 1, 20-29 miss 1',
  'lost: listed once, then not': '0-9 open 1, 10-19 list 1, 20-29 list',
  'lost: nobody redeemed it, and it is refused': '0-9 open 1, 10-19 refuse 1',
  'lost: the next open makes another': '0-9 open 1, 10-19 open 2',
  'a number used twice, by a lost open': '0-9 open 1, 10-19 redeem 1, 20-29 lost open, 30-39 list 1',
  'two at once for one card': '0-30 open 1 100005, 5-31 open 2 100006',
  'redeemed before it was opened': '0-9 redeem 1, 9-19 open 1',
  'seen long after a lost open': '0-9 lost open, 60009-60019 list, 60020-60029 list 1',
  'two of one lost open': '0-9 lost open, 10-19 list 1, 20-29 redeem 1, 30-39 list 2',
  'an expired one is redeemed': '0-9 open 1, 102000-102009 redeem 1',
  'expired before its time': '0-9 open 1, 97000-97009 list',
  'an end that is too late': '0-9 open 1 102500',
  'an end that changes': '0-9 open 1 100000, 10-19 open 1 100001',
  'a code that changes': '0-9 open 1, 10-19 list 1 0000',
};

/** An earlier check-in of the same card. */
const before = operations(
  '0-9 open 8, 10-19 list 8, 20-90 redeem 8, 21-30 refuse 8, 25-35 lost redeem 8, 100-109 list',
  -1_000,
);

test.each(Object.entries(bad))('a history with an error is not: %s', (_, history) => {
  expect(check([...before, ...operations(history)].reverse())).toBeDefined();
});

type Register = { write: number } | { read: number };
const register: Specification<number, Register> = {
  initial: 0,
  lateMs: 2,
  next: (value, { call }) => ('write' in call ? [call.write] : call.read === value ? [value] : []),
};

/** Decides by trying every order of every choice of uncertain operations. */
function isPossibleByTrying(history: readonly Operation<Register>[], done: typeof history = []): boolean {
  const last = done.reduce((value, { call }) => ('write' in call ? call.write : value), 0);
  const left = history.filter((one) => !done.includes(one));
  if (left.every(({ isCertain }) => !isCertain)) return true;
  return left.some((one) => {
    const comesTooEarly = left.some((other) => other.isCertain && other.endedAt <= one.startedAt);
    const comesTooLate = !one.isCertain && done.some(({ startedAt }) => startedAt >= one.endedAt + 2);
    if (comesTooEarly || comesTooLate || register.next(last, one).length === 0) return false;
    return isPossibleByTrying(history, [...done, one]);
  });
}

test('it finds the same as a search through every order', () => {
  const verdicts = { possible: 0, impossible: 0 };
  const value = fc.integer({ min: 0, max: 2 });
  const one = fc
    .record({
      call: fc.oneof(fc.record({ write: value }), fc.record({ read: value })),
      startedAt: fc.nat(12),
      lasts: fc.integer({ min: 1, max: 8 }),
      isCertain: fc.boolean(),
    })
    .map(({ lasts, ...rest }) => ({ ...rest, endedAt: rest.startedAt + lasts }));
  fc.assert(
    fc.property(fc.array(one, { maxLength: 6 }), (history) => {
      const expected = isPossibleByTrying(history);
      verdicts[expected ? 'possible' : 'impossible'] += 1;
      expect(checkHistory(history, register) === undefined).toBe(expected);
    }),
    { numRuns: 2_000 },
  );
  expect(Math.min(verdicts.possible, verdicts.impossible)).toBeGreaterThan(100);
});
