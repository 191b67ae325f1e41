import { expect, test } from 'vitest';
import {
  afterFailure,
  type Circuit,
  circuitState,
  type Failure,
  hasFailedTooLong,
  healthy,
  tryAgainAt,
  withProbe,
} from '../../../shared/callbacks/circuit.ts';

function refusedAt(atMs: number, more: Partial<Failure> = {}): Failure {
  return {
    atMs,
    timedOut: false,
    probe: false,
    ...more,
  };
}

function fail(circuit: Circuit, ...failures: Failure[]): Circuit {
  return failures.reduce((state, failure) => afterFailure(state, failure), circuit);
}

const fiveRefusals = [0, 1, 2, 3, 4].map((atMs) => refusedAt(atMs));

test('five failures in a row open it for 30 s, four do not', () => {
  expect(circuitState(fail(healthy, ...fiveRefusals.slice(0, 4)), 10)).toEqual({ kind: 'closed' });
  const open = fail(healthy, ...fiveRefusals);
  expect(circuitState(open, 10)).toEqual({ kind: 'open', untilMs: 30_004 });
  expect(circuitState(open, 30_003).kind).toBe('open');
  expect(circuitState(open, 30_004)).toEqual({ kind: 'half-open' });
});

test('timeouts count double: three open it', () => {
  const [first, second, third] = [0, 1, 2].map((atMs) => refusedAt(atMs, { timedOut: true }));
  expect(circuitState(fail(healthy, first as Failure, second as Failure), 5).kind).toBe('closed');
  expect(circuitState(fail(healthy, first as Failure, second as Failure, third as Failure), 5).kind).toBe(
    'open',
  );
});

test('failures more than five minutes apart are not in a row', () => {
  const rare = [0, 1, 2, 3, 4, 5, 6].map((n) => refusedAt(n * 300_001));
  expect(circuitState(fail(healthy, ...rare), 2_000_000).kind).toBe('closed');
});

test('a success that the reporter saw ends the row', () => {
  const four = fail(healthy, ...fiveRefusals.slice(0, 4));
  const fifth = afterFailure(four, refusedAt(100, { lastSuccessAt: 50 }));
  expect(fifth).toEqual({ failingSince: 100, lastFailureAt: 100, weight: 1, openings: 0 });
  // Seen before the row began, it says nothing.
  expect(
    circuitState(afterFailure({ ...four, failingSince: 60 }, refusedAt(100, { lastSuccessAt: 50 })), 101)
      .kind,
  ).toBe('open');
});

test('half-open lets one probe through; if it never reports, another after a minute', () => {
  const open = fail(healthy, ...fiveRefusals);
  expect(withProbe(open, 20_000)).toBe(open);
  const probing = withProbe(open, 40_000);
  expect(circuitState(probing, 40_000)).toEqual({ kind: 'open', untilMs: 100_000 });
  expect(withProbe(probing, 99_999)).toBe(probing);
  expect(withProbe(probing, 100_000)).toEqual({ ...open, probeUntil: 160_000 });
});

test('each failed probe doubles the cooldown, up to 15 minutes', () => {
  let circuit = fail(healthy, ...fiveRefusals);
  const cooldowns: number[] = [];
  for (let n = 0; n < 8; n++) {
    const at = (circuit.openUntil ?? 0) + 1;
    circuit = afterFailure(withProbe(circuit, at), refusedAt(at, { probe: true }));
    cooldowns.push((circuit.openUntil ?? 0) - at);
    expect(circuit.probeUntil).toBeUndefined();
  }
  expect(cooldowns).toEqual([60_000, 120_000, 240_000, 480_000, 900_000, 900_000, 900_000, 900_000]);
});

test('attempts that were under way when it opened do not prolong it', () => {
  const open = fail(healthy, ...fiveRefusals);
  expect(afterFailure(open, refusedAt(20_000))).toBe(open);
});

test('five days of failure without a success, not a millisecond less, give an endpoint up', () => {
  const failing = fail(healthy, refusedAt(1_000), refusedAt(400_000_000));
  expect(hasFailedTooLong(failing, 432_000_999)).toBe(false);
  expect(hasFailedTooLong(failing, 432_001_000)).toBe(true);
  expect(hasFailedTooLong(healthy, 432_001_000)).toBe(false);
});

test('a retry speed shortens the cooldown, and the wait for a probe but not its lease', () => {
  const open = fiveRefusals.reduce((circuit, failure) => afterFailure(circuit, failure, 100), healthy);
  expect(circuitState(open, 10)).toEqual({ kind: 'open', untilMs: 304 });
  expect(tryAgainAt(open, 10, 100)).toBe(304);
  const probing = withProbe(open, 1_000);
  expect(circuitState(probing, 1_000)).toEqual({ kind: 'open', untilMs: 61_000 });
  expect([tryAgainAt(probing, 1_000), tryAgainAt(probing, 1_000, 100)]).toEqual([61_000, 1_600]);
});
