import { expect, test } from 'vitest';
import {
  afterFailure,
  afterSuccess,
  type Circuit,
  circuitState,
  closed,
  drained,
  eventOfStep,
  type FailedCall,
  hasFailedTooLong,
  healthy,
  withDrain,
  withProbe,
} from '../../../shared/callbacks/endpoint/circuit.ts';

function refusedAt(atMs: number, more: Partial<FailedCall> = {}): FailedCall {
  return { atMs, pauseMs: 0, probe: false, ...more };
}

function fail(circuit: Circuit, ...failures: FailedCall[]): Circuit {
  return failures.reduce((state, failure) => afterFailure(state, failure), circuit);
}

const fiveRefusals = [0, 1, 2, 3, 4].map((atMs) => refusedAt(atMs));

test('rule 24: five failures in a row open it for 30 s, four do not', () => {
  expect(circuitState(fail(healthy, ...fiveRefusals.slice(0, 4)), 10)).toEqual({ kind: 'closed' });
  const open = fail(healthy, ...fiveRefusals);
  expect(circuitState(open, 10)).toEqual({ kind: 'open', untilMs: 30_004, reason: 'failures' });
  expect(circuitState(open, 30_003).kind).toBe('open');
  expect(circuitState(open, 30_004)).toEqual({ kind: 'half-open' });
});

test('an open circuit names Retry-After as its reason until that time, and failures from then on', () => {
  const open = { ...healthy, openUntil: 30_000, pausedUntil: 21_000 };
  expect([20_999, 21_000].map((atMs) => circuitState(open, atMs))).toEqual([
    { kind: 'open', untilMs: 30_000, reason: 'retry-after' },
    { kind: 'open', untilMs: 30_000, reason: 'failures' },
  ]);
});

test('rule 24: failures are in a row however long they are apart, unless the reporter has seen a success since they began, or in the last second', () => {
  const four = fail(healthy, ...[0, 1, 2, 3].map((n) => refusedAt(n * 3_600_000)));
  const fifth = (failingSince: number, atMs = 14_401_000) => {
    const lastSuccessAt = 14_400_000;
    return afterFailure({ ...four, failingSince }, refusedAt(atMs, { lastSuccessAt }));
  };
  const again = (atMs: number) => ({ failingSince: atMs, lastFailureAt: atMs, failures: 1, openings: 0 });
  expect(fifth(14_399_999)).toEqual(again(14_401_000));
  for (const since of [14_400_000, 14_400_001]) {
    expect(fifth(since)).toMatchObject({ failingSince: since, failures: 5, openings: 1 });
    expect(fifth(since, 14_400_999)).toEqual(again(14_400_999));
  }
});

test('half-open lets one probe through; if it never reports, another after a minute', () => {
  const open = fail(healthy, ...fiveRefusals);
  expect(withProbe(open, 20_000)).toBe(open);
  const probing = withProbe(open, 40_000);
  expect(circuitState(probing, 40_000)).toEqual({ kind: 'open', untilMs: 100_000, reason: 'failures' });
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

test('one answer that asks for a pause opens it for that long, and a probe that fails then by the next cooldown', () => {
  const first = { failingSince: 1_000, firstOpenedAt: 1_000 };
  const paused = afterFailure(healthy, refusedAt(1_000, { pauseMs: 120_000 }));
  expect(paused).toEqual({
    ...{ ...first, lastFailureAt: 1_000, openedAt: 1_000, failures: 1, openings: 1 },
    ...{ pausedUntil: 121_000, openUntil: 121_000 },
  });
  expect(circuitState(paused, 120_999)).toEqual({ kind: 'open', untilMs: 121_000, reason: 'retry-after' });
  expect(circuitState(paused, 121_000)).toEqual({ kind: 'half-open' });
  // A success from before it opened does not end the row.
  const failed = afterFailure(paused, refusedAt(121_000, { probe: true, lastSuccessAt: 120_000 }));
  const again = { ...first, lastFailureAt: 121_000, openedAt: 121_000, failures: 2, openings: 2 };
  expect(failed).toEqual({ ...again, openUntil: 181_000 });
});

function underWay(startedAt: number) {
  return { startedAt, atMs: 50_000, probe: false };
}

const openTo30s = fail(healthy, ...fiveRefusals);
const probing = withProbe(openTo30s, 40_000);

test.each([
  ['a pause shorter than the cooldown', 20_000, 1_000, { openUntil: 30_004, pausedUntil: 21_000 }],
  ['a longer pause prolongs it', 20_000, 11_004, { openUntil: 31_004, pausedUntil: 31_004 }],
  ['a failure that asks for nothing leaves it alone, half-open too', 50_000, 0, {}],
])('while it is open, of an attempt that was under way: %s', (_title, atMs, pauseMs, change) => {
  const after = afterFailure(openTo30s, refusedAt(atMs, { pauseMs }));
  expect(after).toEqual({ ...openTo30s, ...change });
});

test('the same pause, asked for a moment later, is not written; a second later it is', () => {
  const paused = afterFailure(healthy, refusedAt(0, { pauseMs: 60_000 }));
  expect(afterFailure(paused, refusedAt(999, { pauseMs: 60_000 }))).toBe(paused);
  expect(afterFailure(paused, refusedAt(1_000, { pauseMs: 60_000 }))).toMatchObject({
    openUntil: 61_000,
    pausedUntil: 61_000,
    openings: 1,
  });
});

const closedNow = { ...healthy, drainingSince: 50_000 };

test.each<[string, Circuit, Parameters<typeof afterSuccess>[1], Circuit | false]>([
  ['an attempt that began in the millisecond it opened changes nothing', openTo30s, underWay(4), false],
  ['an attempt that began after it opened closes it', openTo30s, underWay(5), closedNow],
  ['the probe closes it, whenever it began', probing, { ...underWay(3), probe: true }, closedNow],
])('a success of %s', (_title, circuit, success, closes) => {
  const after = afterSuccess(circuit, success);
  if (closes) expect(after).toEqual(closes);
  else expect(after).toBe(circuit);
});

test('no success ends a pause that the endpoint asked for, and none shortens what it has failed', () => {
  const paused = afterFailure(healthy, refusedAt(0, { pauseMs: 30_000 }));
  expect(afterSuccess(paused, { startedAt: 5_000, atMs: 29_999, probe: false })).toBe(paused);
  expect(afterSuccess(paused, { startedAt: 5_000, atMs: 30_000, probe: false })).toEqual(closed(30_000));
});

test('a probe that succeeds during a pause asked for by another answer gives its time back', () => {
  const paused = afterFailure(probing, refusedAt(41_000, { pauseMs: 60_000 }));
  const after = afterSuccess(paused, { startedAt: 40_000, atMs: 42_000, probe: true });
  const { probeUntil: _over, ...rest } = paused;
  expect(after).toEqual(rest);
  expect(circuitState(after, 101_000)).toEqual({ kind: 'half-open' });
});

test.each([
  ['longer', 100_000, 150_000],
  ['shorter', 10_000, 110_000],
])(
  'half-open, a probe whose answer asks for a pause %s than the doubled cooldown opens it for the longer of both',
  (_title, pauseMs, openUntil) => {
    const after = afterFailure(probing, refusedAt(50_000, { probe: true, pauseMs }));
    expect(after).toMatchObject({ openUntil, openings: 2, failures: 6 });
    expect(after.probeUntil).toBeUndefined();
  },
);

test('half-open, a late answer that asks for a pause prolongs it, and leaves the probe its time', () => {
  const after = afterFailure(probing, refusedAt(50_000, { pauseMs: 120_000 }));
  expect(after).toEqual({ ...probing, openUntil: 170_000, pausedUntil: 170_000 });
});

const fiveDays = 432_000_000;
const oneDay = 86_400_000;
const since = Date.parse('2026-05-20T12:00:00Z');
const failing = { failingSince: since, lastFailureAt: since + fiveDays, failures: 10, openings: 0 };

test.each<[string, Partial<Circuit>, number, boolean]>([
  ['a millisecond less than five days', {}, since + fiveDays - 1, false],
  ['nine failures in a year', { failures: 9 }, since + 73 * fiveDays, false],
  [
    'a hundred failures within 23 h 59',
    { failures: 100, lastFailureAt: since + oneDay - 60_000 },
    since + fiveDays,
    false,
  ],
  ['ten failures over 24 h', { lastFailureAt: since + oneDay }, since + fiveDays, true],
])('%s: is the endpoint given up?', (_title, change, nowMs, expected) => {
  expect(hasFailedTooLong({ ...failing, ...change }, nowMs)).toBe(expected);
});

test('a circuit that has closed brings forward what it deferred until that is done, or until it opens again', () => {
  const recovering = closed(1_000);
  expect(circuitState(recovering, 2_000)).toEqual({ kind: 'closed' });
  expect(drained(recovering, 1_000)).toEqual(healthy);
  expect(drained(recovering, 999)).toBe(recovering);
  const failing = fail(recovering, ...fiveRefusals.slice(0, 4));
  expect(failing).toMatchObject({ drainingSince: 1_000, failures: 4 });
  expect(afterSuccess(failing, underWay(0))).toEqual(recovering);
  expect(afterFailure(failing, refusedAt(100, { lastSuccessAt: 50 }))).toMatchObject({
    drainingSince: 1_000,
    failures: 1,
  });
  expect(drained(failing, 1_000)).toMatchObject({ failures: 4 });
  expect(fail(recovering, ...fiveRefusals)).not.toHaveProperty('drainingSince');
});

test('what is deferred keeps a drain going, every 20 s, and changes nothing else', () => {
  const nowMs = 50_000;
  const failing = fail(healthy, refusedAt(0));
  expect(withDrain(failing, nowMs)).toEqual({ ...failing, drainingSince: 40_000 });
  expect(withDrain(closed(20_000), nowMs)).toEqual(closed(40_000));
  for (const later of [closed(20_001), closed(nowMs)]) expect(withDrain(later, nowMs)).toBe(later);
  const open = fail(healthy, ...fiveRefusals);
  expect(withDrain(open, nowMs)).toBe(open);
});

test('rule 55: a recovery is told of only if the failing was', () => {
  const failing = { ...healthy, failures: 5, openings: 1, failingSince: 0, firstOpenedAt: 1_000 };
  const recovery = (lastFailureAt: number) =>
    eventOfStep({ ...failing, lastFailureAt }, closed(2_000_000), { atMs: 2_000_000 });
  const data = { what: 'what waited is delivered again' };
  expect(recovery(901_000)).toBeUndefined();
  expect(recovery(901_001)).toEqual({ kind: 'endpoint.recovered', atMs: 2_000_000, data });
});

test('rule 55: four days of failures are told, a day before the endpoint is disabled', () => {
  const failing = { ...healthy, failures: 9, openings: 3, failingSince: 0, firstOpenedAt: 1_000 };
  const eventOf = (atMs: number) =>
    eventOfStep({ ...failing, lastFailureAt: 3 * oneDay }, { ...failing, lastFailureAt: atMs }, { atMs });
  expect(eventOf(4 * oneDay - 1)).toBeUndefined();
  expect(eventOf(4 * oneDay)).toMatchObject({ kind: 'endpoint.failing' });
});

test('rule 55: of an endpoint that is seldom called the partner is told once', () => {
  let [atMs, circuit] = [since, healthy];
  const events = [0, oneDay, oneDay, oneDay, oneDay + 3_600_000, 3_600_000].flatMap((waitMs) => {
    atMs += waitMs;
    const before = circuit;
    circuit = afterFailure(before, refusedAt(atMs, { probe: before.openUntil !== undefined }));
    return eventOfStep(before, circuit, { atMs }) ?? [];
  });
  const what = 'nothing was delivered for 4 days: a day later it is disabled';
  expect(events).toMatchObject([{ kind: 'endpoint.failing', data: { what } }]);
});
