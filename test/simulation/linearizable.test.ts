import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs, seed } from '../support/property-runs.ts';
import { checkHistory, type Operation, type Specification } from './linearizable.ts';

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
    { seed, numRuns: runs(2_000) },
  );
  expect(Math.min(verdicts.possible, verdicts.impossible)).toBeGreaterThan(100);
});
