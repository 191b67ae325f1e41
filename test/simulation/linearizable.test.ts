import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CheckInCall, checkInSpecification, type RedeemAnswer } from './check-in-specification.ts';
import { checkHistory, type Operation, type Specification } from './linearizable.ts';

const lifetimeMs = 60_000;
const skewMs = 2_000;

type History = readonly Operation<CheckInCall>[];
type Ask<Asks> = Omit<Extract<CheckInCall, { asks: Asks }>, 'asks' | 'clock'>;

function operation(startedAt: number, endedAt: number, call: object, isCertain = true) {
  const clock = { from: startedAt - skewMs, to: endedAt + skewMs };
  return { startedAt, endedAt, isCertain, call: { clock, ...call } as CheckInCall };
}

function open(from: number, to: number, number: number, until = from + lifetimeMs) {
  const told = { number, code: codeOf(number), until };
  return operation(from, to, { asks: 'open', told } satisfies { asks: 'open' } & Ask<'open'>);
}

function list(from: number, to: number, number?: number, code = codeOf(number ?? 0)) {
  const shown = number === undefined ? undefined : { number, code };
  return operation(from, to, { asks: 'list', shown } satisfies { asks: 'list' } & Ask<'list'>);
}

function redeem(from: number, to: number, number: number, answer: RedeemAnswer = 'redeemed') {
  return operation(from, to, { asks: 'redeem', number, answer });
}

/** Without an answer: it may take effect for 20 seconds. */
function lostOpen(from: number, to: number) {
  return operation(
    from,
    to + 20_000,
    { asks: 'open', clock: { from: from - skewMs, to: to + skewMs } },
    false,
  );
}

function lostRedeem(from: number, to: number, number: number) {
  return operation(from, to + 20_000, { asks: 'redeem', number }, false);
}

function codeOf(number: number): string {
  return String(number * 7).padStart(4, '0');
}

function isPossible(history: History): boolean {
  return checkHistory(history, checkInSpecification(lifetimeMs)).isLinearizable;
}

const good: Record<string, History> = {
  'nothing happens': [],
  'opened, listed, redeemed, listed': [open(0, 9, 1), list(10, 19, 1), redeem(20, 29, 1), list(30, 39)],
  'a list while it is opened may show it': [open(0, 9, 1), list(1, 8, 1)],
  'a list while it is opened may not show it': [open(0, 9, 1), list(1, 8)],
  'two lists while it is opened': [open(0, 9, 1), list(1, 3), list(4, 8, 1)],
  'a list while it is redeemed may show it': [open(0, 9, 1), redeem(10, 30, 1), list(11, 29, 1)],
  'a list while it is redeemed may not show it': [open(0, 9, 1), redeem(10, 30, 1), list(11, 29)],
  'of three desks one redeems it': [
    open(0, 9, 1),
    redeem(10, 30, 1, 'not active'),
    redeem(11, 31, 1),
    redeem(12, 29, 1, 'not active'),
  ],
  'a desk is refused while another redeems, and ends first': [
    open(0, 9, 1),
    redeem(10, 90, 1),
    redeem(20, 30, 1, 'not active'),
  ],
  'opened again, the same is returned': [open(0, 9, 1), open(20, 29, 1, 60_000)],
  'opened twice at once, one check-in': [open(0, 30, 1, 60_005), open(5, 20, 1, 60_005)],
  'redeemed, and a new one': [open(0, 9, 1), redeem(10, 19, 1), open(20, 29, 2), list(30, 39, 2)],
  'an open beside a redeem returns the old one': [
    open(0, 9, 1),
    redeem(10, 30, 1),
    open(11, 29, 1, 60_000),
    list(31, 39),
  ],
  'an open beside a redeem returns a new one': [
    open(0, 9, 1),
    redeem(10, 30, 1),
    open(11, 29, 2),
    list(31, 39, 2),
  ],
  'nobody has this number': [open(0, 9, 1), redeem(10, 19, 9, 'unknown')],
  'expired, not listed': [open(0, 9, 1), list(60_001, 60_009)],
  'expired, refused': [open(0, 9, 1), redeem(60_001, 60_009, 1, 'not active')],
  'expired by a clock that is ahead, listed by one that is not': [
    open(0, 9, 1),
    list(58_500, 58_600),
    list(58_700, 58_800, 1),
  ],
  'redeemed by a clock that is behind': [open(0, 9, 1), redeem(61_500, 61_509, 1)],
  'expired, and a new one': [open(0, 9, 1), open(61_000, 61_009, 2), redeem(61_100, 61_109, 1, 'not active')],
  'an open without an answer never happened': [lostOpen(0, 9), list(10, 19)],
  'an open without an answer happened': [lostOpen(0, 9), list(10, 19, 1), redeem(20, 29, 1)],
  'an open without an answer happens later': [lostOpen(0, 9), list(10, 19), list(20, 29, 1)],
  'an open without an answer, and the next returns what it made': [lostOpen(0, 9), open(10, 19, 1, 60_004)],
  'an open without an answer is listed, redeemed, and happens to be the last': [
    lostOpen(0, 9),
    list(10, 19, 1),
    redeem(20, 29, 1),
    list(30, 39),
    open(40, 49, 2),
  ],
  'a redeem without an answer never happened': [open(0, 9, 1), lostRedeem(10, 19, 1), redeem(100, 109, 1)],
  'a redeem without an answer happened': [
    open(0, 9, 1),
    lostRedeem(10, 19, 1),
    redeem(100, 109, 1, 'not active'),
    list(110, 119),
  ],
  'a redeem without an answer happens later': [
    open(0, 9, 1),
    lostRedeem(10, 19, 1),
    list(100, 109, 1),
    list(110, 119),
  ],
};

const bad: Record<string, History> = {
  'redeemed twice': [open(0, 9, 1), redeem(10, 19, 1), redeem(20, 29, 1)],
  'redeemed by two desks at once': [open(0, 9, 1), redeem(10, 30, 1), redeem(11, 31, 1)],
  'redeemed again by a desk without an answer': [
    open(0, 9, 1),
    lostRedeem(10, 19, 1),
    list(20, 29),
    redeem(30, 39, 1),
  ],
  'listed after a redeem was answered': [open(0, 9, 1), redeem(10, 19, 1), list(19, 29, 1)],
  'listed, after another list did not show it any more': [
    open(0, 9, 1),
    redeem(10, 90, 1),
    list(20, 29),
    list(30, 39, 1),
  ],
  'not found, though it was opened': [open(0, 9, 1), redeem(10, 19, 1, 'unknown')],
  'not found, though it was listed': [lostOpen(0, 9), list(10, 19, 1), redeem(20, 29, 1, 'unknown')],
  'not found, after it was redeemed': [open(0, 9, 1), redeem(10, 19, 1), redeem(20, 29, 1, 'unknown')],
  'lost: in no list': [open(0, 9, 1), list(10, 19)],
  'lost: listed once, then not': [open(0, 9, 1), list(10, 19, 1), list(20, 29)],
  'lost: nobody redeemed it, and it is refused': [open(0, 9, 1), redeem(10, 19, 1, 'not active')],
  'lost: the next open makes another': [open(0, 9, 1), open(10, 19, 2)],
  'a number used twice': [open(0, 9, 1), redeem(10, 19, 1), open(20, 29, 1)],
  'a number used twice, by an open without an answer': [
    open(0, 9, 1),
    redeem(10, 19, 1),
    lostOpen(20, 29),
    list(30, 39, 1),
  ],
  'two at once for one card': [open(0, 30, 1, 60_005), open(5, 31, 2, 60_006)],
  'seen before it was opened': [list(0, 9, 1), open(9, 19, 1)],
  'redeemed before it was opened': [redeem(0, 9, 1), open(9, 19, 1)],
  'seen, and nobody opened it': [list(0, 9, 1)],
  'seen long after the open without an answer': [
    lostOpen(0, 9),
    list(20_009, 20_019),
    list(20_020, 20_029, 1),
  ],
  'two of one open without an answer': [lostOpen(0, 9), list(10, 19, 1), redeem(20, 29, 1), list(30, 39, 2)],
  'an expired one is redeemed': [open(0, 9, 1), redeem(62_000, 62_009, 1)],
  'an expired one is listed': [open(0, 9, 1), list(62_000, 62_009, 1)],
  'an expired one is returned by an open': [open(0, 9, 1), open(62_000, 62_009, 1, 60_000)],
  'expired before its time': [open(0, 9, 1), list(57_000, 57_009)],
  'refused before its time': [open(0, 9, 1), redeem(57_000, 57_009, 1, 'not active')],
  'an end that is too early': [open(0, 9, 1, 57_000)],
  'an end that is too late': [open(0, 9, 1, 62_500)],
  'an end that changes': [open(0, 9, 1, 60_000), open(10, 19, 1, 60_001)],
  'a code that changes': [open(0, 9, 1), list(10, 19, 1, '0000')],
};

/** Operations of a check-in that had its time before. */
function prelude(pieces: readonly number[]): History {
  let at = -pieces.length * 1_000;
  return pieces.flatMap((piece, n) => {
    at += 1_000;
    const number = 1_000 + n;
    const opened = open(at - 990, at - 900, number);
    const wasRedeemed = redeem(at - 400, at - 300, number);
    return [
      opened,
      ...(piece % 2 ? [list(at - 890, at - 800, number)] : []),
      ...(piece % 3 ? [redeem(at - 399, at - 200, number, 'not active')] : []),
      wasRedeemed,
      ...(piece % 5 ? [lostRedeem(at - 390, at - 310, number)] : []),
      list(at - 100, at - 50),
    ];
  });
}

const others = fc.array(fc.nat(29), { maxLength: 4 });

describe('histories that one desk at a time could have had are accepted', () => {
  test.each(Object.entries(good))('%s', (_, history) => {
    fc.assert(
      fc.property(others, fc.integer({ min: 1, max: 3 }), (pieces, step) => {
        expect(isPossible([...history, ...prelude(pieces)])).toBe(true);
        expect(isPossible(shuffled(history, step))).toBe(true);
      }),
      { numRuns: 12 },
    );
  });
});

describe('histories with an error are not', () => {
  test.each(Object.entries(bad))('%s', (_, history) => {
    fc.assert(
      fc.property(others, fc.integer({ min: 1, max: 3 }), (pieces, step) => {
        expect(isPossible([...history, ...prelude(pieces)])).toBe(false);
        expect(isPossible(shuffled(history, step))).toBe(false);
      }),
      { numRuns: 12 },
    );
  });
});

/** The order in which they are written down does not matter. */
function shuffled(history: History, step: number): History {
  return history.map((_, n) => history[(n + step) % history.length] as History[number]);
}

test('what cannot come next is named, with the longest order that was found', () => {
  const last = redeem(20, 29, 1);
  const verdict = checkHistory([open(0, 9, 1), redeem(10, 19, 1), last], checkInSpecification(lifetimeMs));
  expect(verdict).toEqual({ isLinearizable: false, after: 2, stuck: [last] });
});

type Register = { readonly write: number } | { readonly read: number };
const register: Specification<number, Register> = {
  initial: 0,
  next: (value, call) => ('write' in call ? [call.write] : call.read === value ? [value] : []),
};

/** Tries every order of every choice of uncertain operations. */
function isPossibleByTrying(history: readonly Operation<Register>[], done: typeof history = []): boolean {
  const last = done.reduce((value, { call }) => ('write' in call ? call.write : value), 0);
  const left = history.filter((one) => !done.includes(one));
  if (left.every(({ isCertain }) => !isCertain)) return true;
  return left.some((one) => {
    const comesTooEarly = left.some((other) => other.isCertain && other.endedAt <= one.startedAt);
    const comesTooLate = !one.isCertain && done.some(({ startedAt }) => startedAt >= one.endedAt);
    if (comesTooEarly || comesTooLate || register.next(last, one.call).length === 0) return false;
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
      expect(checkHistory(history, register).isLinearizable).toBe(expected);
    }),
    { numRuns: 2_000 },
  );
  expect(verdicts.possible).toBeGreaterThan(100);
  expect(verdicts.impossible).toBeGreaterThan(100);
});

test('a long history with many at once is searched', () => {
  const history = Array.from({ length: 60 }, (_, n) => [
    open(n * 1_000, n * 1_000 + 99, n + 1),
    ...Array.from({ length: 5 }, (__, desk) =>
      redeem(n * 1_000 + 100 + desk, n * 1_000 + 200 + desk, n + 1, desk === 4 ? 'redeemed' : 'not active'),
    ),
    lostRedeem(n * 1_000 + 100, n * 1_000 + 200, n + 1),
    list(n * 1_000 + 300, n * 1_000 + 400),
  ]).flat();
  expect(isPossible(history)).toBe(true);
  expect(isPossible([...history, redeem(70_000, 70_009, 1)])).toBe(false);
});
