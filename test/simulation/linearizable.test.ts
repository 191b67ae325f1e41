import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
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

const good = {
  'nothing happens': '',
  'opened, listed, redeemed, listed': '0-9 open 1, 10-19 list 1, 20-29 redeem 1, 30-39 list',
  'a list while it is opened shows it': '0-9 open 1, 1-8 list 1',
  'a list while it is opened does not show it': '0-9 open 1, 1-8 list',
  'two lists while it is opened': '0-9 open 1, 1-3 list, 4-8 list 1',
  'a list while it is redeemed shows it': '0-9 open 1, 10-30 redeem 1, 11-29 list 1',
  'a list while it is redeemed does not show it': '0-9 open 1, 10-30 redeem 1, 11-29 list',
  'of three desks one redeems it': '0-9 open 1, 10-30 refuse 1, 11-31 redeem 1, 12-29 refuse 1',
  'refused while another redeems, which ends later': '0-9 open 1, 10-90 redeem 1, 20-30 refuse 1',
  'opened again, the same is returned': '0-9 open 1, 20-29 open 1 100000',
  'opened twice at once, one check-in': '0-30 open 1 100005, 5-20 open 1 100005',
  'redeemed, and a new one': '0-9 open 1, 10-19 redeem 1, 20-29 open 2, 30-39 list 2',
  'opened beside a redeem, the old one': '0-9 open 1, 10-30 redeem 1, 11-29 open 1 100000, 31-39 list',
  'opened beside a redeem, a new one': '0-9 open 1, 10-30 redeem 1, 11-29 open 2, 31-39 list 2',
  'nobody has this number': '0-9 open 1, 10-19 miss 9',
  'expired, not listed': '0-9 open 1, 100001-100009 list',
  'expired, refused': '0-9 open 1, 100001-100009 refuse 1',
  'not expired by one of two clocks': '0-9 open 1, 98500-98600 list, 98700-98800 list 1',
  'redeemed by a clock that is behind': '0-9 open 1, 101500-101509 redeem 1',
  'expired, and a new one': '0-9 open 1, 101000-101009 open 2, 101100-101109 refuse 1',
  'a lost open never happened': '0-9 lost open, 10-19 list',
  'a lost open happened': '0-9 lost open, 10-19 list 1, 20-29 redeem 1',
  'a lost open happens later': '0-9 lost open, 10-19 list, 20-29 list 1',
  'the open after a lost one returns what that made': '0-9 lost open, 10-19 open 1 100004',
  'a lost open, seen, and the next': '0-9 lost open, 10-19 list 1, 20-29 redeem 1, 30-39 list, 40-49 open 2',
  'a lost redeem never happened': '0-9 open 1, 10-19 lost redeem 1, 100-109 redeem 1',
  'a lost redeem happened': '0-9 open 1, 10-19 lost redeem 1, 100-109 refuse 1, 110-119 list',
  'a lost redeem happens later': '0-9 open 1, 10-19 lost redeem 1, 100-109 list 1, 110-119 list',
};

const bad = {
  'redeemed twice': '0-9 open 1, 10-19 redeem 1, 20-29 redeem 1',
  'redeemed by two desks at once': '0-9 open 1, 10-30 redeem 1, 11-31 redeem 1',
  'redeemed after a lost redeem': '0-9 open 1, 10-19 lost redeem 1, 20-29 list, 30-39 redeem 1',
  'listed after a redeem was answered': '0-9 open 1, 10-19 redeem 1, 19-29 list 1',
  'listed after a list without it': '0-9 open 1, 10-90 redeem 1, 20-29 list, 30-39 list 1',
  'not found, though it was opened': '0-9 open 1, 10-19 miss 1',
  'not found, though it was listed': '0-9 lost open, 10-19 list 1, 20-29 miss 1',
  'not found, after it was redeemed': '0-9 open 1, 10-19 redeem 1, 20-29 miss 1',
  'lost: in no list': '0-9 open 1, 10-19 list',
  'lost: listed once, then not': '0-9 open 1, 10-19 list 1, 20-29 list',
  'lost: nobody redeemed it, and it is refused': '0-9 open 1, 10-19 refuse 1',
  'lost: the next open makes another': '0-9 open 1, 10-19 open 2',
  'a number used twice': '0-9 open 1, 10-19 redeem 1, 20-29 open 1',
  'a number used twice, by a lost open': '0-9 open 1, 10-19 redeem 1, 20-29 lost open, 30-39 list 1',
  'two at once for one card': '0-30 open 1 100005, 5-31 open 2 100006',
  'seen before it was opened': '0-9 list 1, 9-19 open 1',
  'redeemed before it was opened': '0-9 redeem 1, 9-19 open 1',
  'seen, and nobody opened it': '0-9 list 1',
  'seen long after a lost open': '0-9 lost open, 60009-60019 list, 60020-60029 list 1',
  'two of one lost open': '0-9 lost open, 10-19 list 1, 20-29 redeem 1, 30-39 list 2',
  'an expired one is redeemed': '0-9 open 1, 102000-102009 redeem 1',
  'an expired one is listed': '0-9 open 1, 102000-102009 list 1',
  'an expired one is returned by an open': '0-9 open 1, 102000-102009 open 1 100000',
  'expired before its time': '0-9 open 1, 97000-97009 list',
  'refused before its time': '0-9 open 1, 97000-97009 refuse 1',
  'an end that is too early': '0-9 open 1 97000',
  'an end that is too late': '0-9 open 1 102500',
  'an end that changes': '0-9 open 1 100000, 10-19 open 1 100001',
  'a code that changes': '0-9 open 1, 10-19 list 1 0000',
};

/** An earlier check-in of the same card. */
const before = operations(
  '0-9 open 8, 10-19 list 8, 20-90 redeem 8, 21-30 refuse 8, 25-35 lost redeem 8, 100-109 list',
  -1_000,
);

describe('histories that one desk at a time could have had are accepted', () => {
  test.each(Object.entries(good))('%s', (_, history) => {
    expect(check(operations(history))).toBeUndefined();
    expect(check([...before, ...operations(history)].reverse())).toBeUndefined();
  });
});

describe('histories with an error are not', () => {
  test.each(Object.entries(bad))('%s', (_, history) => {
    expect(check(operations(history))).toBeDefined();
    expect(check([...before, ...operations(history)].reverse())).toBeDefined();
  });
});

test('what cannot come next is named, with the longest order that was found', () => {
  const history = operations('0-9 open 1, 10-19 redeem 1, 20-29 redeem 1');
  expect(check(history)).toEqual({ after: 2, stuck: history.slice(2) });
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

test('a long history with many at once is searched', () => {
  const history = Array.from({ length: 60 }, (_, n) => {
    const number = n + 1;
    const at = (from: number, to: number) => `${n * 1_000 + from}-${n * 1_000 + to}`;
    const refused = [0, 1, 2, 3].map((desk) => `${at(100 + desk, 200 + desk)} refuse ${number}`).join(', ');
    const others = `${at(104, 204)} redeem ${number}, ${at(100, 200)} lost redeem ${number}`;
    return `${at(0, 99)} open ${number}, ${refused}, ${others}, ${at(300, 400)} list`;
  }).join(', ');
  expect(check(operations(history))).toBeUndefined();
  expect(check(operations(`${history}, 70000-70009 redeem 1`))).toBeDefined();
});

test('a history in which many requests were lost is searched', () => {
  const history = Array.from({ length: 12 }, (_, n) => {
    const number = n + 1;
    const at = (from: number, to: number) => `${n * 1_000 + from}-${n * 1_000 + to}`;
    const lost = [0, 1, 2]
      .map((n) => `${at(n, 9)} lost open, ${at(200 + n, 290)} lost redeem ${number}`)
      .join(', ');
    return `${lost}, ${at(100, 190)} list ${number}, ${at(291, 299)} refuse ${number}, ${at(300, 400)} list`;
  }).join(', ');
  expect(check(operations(history))).toBeUndefined();
  expect(check(operations(`${history}, 13000-13009 redeem 12`))).toBeDefined();
});
