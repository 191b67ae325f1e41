import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  afterFailure,
  afterSuccess,
  type Circuit,
  circuitState,
  healthy,
  withProbe,
} from '../../../shared/callbacks/endpoint/circuit.ts';
import { runs, seed } from '../../support/property-runs.ts';

/** The state of a circuit in a second implementation of its rules, without the time at which it began to fail. */
type Reference = Pick<
  Circuit,
  | 'failures'
  | 'openings'
  | 'firstOpenedAt'
  | 'openedAt'
  | 'openUntil'
  | 'pausedUntil'
  | 'lastFailureAt'
  | 'closedAt'
>;

const cooldownsMs = [30_000, 60_000, 120_000, 240_000, 480_000];

function afterAdmitted(from: Reference, atMs: number, { pauseMs }: Call): Reference {
  const isProbe = from.openUntil !== undefined;
  const { pausedUntil: _over, ...kept } = from;
  const next = { ...kept, failures: from.failures + 1, lastFailureAt: atMs };
  const breaks = isProbe || next.failures >= 5;
  if (!breaks && pauseMs === 0) return next;
  const waitMs = Math.max(breaks ? (cooldownsMs[from.openings] ?? 900_000) : 0, pauseMs);
  const { closedAt: _drained, ...opening } = next;
  return {
    ...opening,
    openings: from.openings + 1,
    firstOpenedAt: from.firstOpenedAt ?? atMs,
    openedAt: atMs,
    openUntil: atMs + waitMs,
    ...(pauseMs > 0 ? { pausedUntil: atMs + pauseMs } : {}),
  };
}

/** A circuit that was open may have deferred callbacks to bring forward. */
function afterAdmittedSuccess({ openUntil, closedAt }: Reference, atMs: number): Reference {
  if (openUntil !== undefined) return { ...healthy, closedAt: atMs };
  return closedAt === undefined ? healthy : { ...healthy, closedAt };
}

type Call = {
  afterMs: number;
  ok: boolean;
  pauseMs: number;
};

const attempt = {
  afterMs: fc.constantFrom(0, 1, 29_999, 30_000, 60_000, 300_000, 300_001, 900_000),
  ok: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  pauseMs: fc.constantFrom(0, 0, 0, 0, 1_000, 120_000, 900_000),
};
const call: fc.Arbitrary<Call> = fc.record(attempt);

test('whatever comes one after the other, a circuit opens, lets one probe through and closes as the rules say', () => {
  let opened = 0;
  const property = fc.property(fc.array(call, { maxLength: 60, size: 'max' }), (calls) => {
    let circuit = healthy;
    let reference: Reference = healthy;
    let nowMs = 1_000;
    for (const one of calls) {
      nowMs += one.afterMs;
      const { kind } = circuitState(circuit, nowMs);
      const isDue = reference.openUntil === undefined || nowMs >= reference.openUntil;
      expect(kind).toBe(reference.openUntil === undefined ? 'closed' : isDue ? 'half-open' : 'open');
      if (!isDue) continue;
      const probing = withProbe(circuit, nowMs);
      if (kind === 'half-open') expect(circuitState(probing, nowMs).kind).toBe('open');
      if (one.ok) {
        const probe = kind === 'half-open';
        if (probe || reference.failures > 0) reference = afterAdmittedSuccess(reference, nowMs);
        circuit = afterSuccess(probing, { startedAt: nowMs, atMs: nowMs, probe });
        expect(circuit).toEqual(reference);
        continue;
      }
      circuit = afterFailure(probing, { ...one, atMs: nowMs, probe: kind === 'half-open' });
      reference = afterAdmitted(reference, nowMs, one);
      const { failingSince: _since, ...rest } = circuit;
      expect(rest).toEqual(reference);
      opened += reference.openings > 1 ? 1 : 0;
    }
  });
  fc.assert(property, { seed, numRuns: runs(200) });
  expect(opened).toBeGreaterThan(100);
});

const overlapping = fc.record({ ...attempt, lasts: fc.integer({ min: 1, max: 15_000 }) });

test('however attempts overlap, what was under way when it opened closes nothing, and no pause ends early', () => {
  const seen = { late: 0, paused: 0, closed: 0 };
  const property = fc.property(fc.array(overlapping, { maxLength: 60, size: 'max' }), (calls) => {
    let circuit = healthy;
    let nowMs = 1_000;
    const underWay: { startedAt: number; endsAt: number; probe: boolean; call: Call }[] = [];
    const end = (attempt: (typeof underWay)[number]) => {
      const { startedAt, endsAt: atMs, probe, call } = attempt;
      const before = circuit;
      const { openedAt, pausedUntil = 0, openUntil = 0 } = before;
      circuit = call.ok
        ? afterSuccess(before, { startedAt, atMs, probe })
        : afterFailure(before, { ...call, atMs, probe });
      if (openedAt === undefined || before.openUntil === undefined) return;
      if (!probe && startedAt <= openedAt) {
        seen.late += 1;
        expect(circuit).toMatchObject({ openings: before.openings, failingSince: before.failingSince });
        expect(circuit.openUntil).toBeGreaterThanOrEqual(openUntil);
      }
      if (atMs < pausedUntil) {
        seen.paused += 1;
        expect(circuit.openUntil).toBeGreaterThanOrEqual(pausedUntil);
      }
      if (circuit.openUntil === undefined) seen.closed += 1;
    };
    const endAll = (untilMs: number) => {
      underWay.sort((a, b) => a.endsAt - b.endsAt);
      while (underWay[0] && underWay[0].endsAt <= untilMs) end(underWay.shift() as (typeof underWay)[number]);
    };
    for (const call of calls) {
      nowMs += call.afterMs;
      endAll(nowMs);
      const { kind } = circuitState(circuit, nowMs);
      if (kind === 'open') continue;
      circuit = withProbe(circuit, nowMs);
      underWay.push({ startedAt: nowMs, endsAt: nowMs + call.lasts, probe: kind === 'half-open', call });
    }
    endAll(Number.POSITIVE_INFINITY);
  });
  fc.assert(property, { seed, numRuns: runs(500) });
  expect(Math.min(seen.late, seen.paused, seen.closed)).toBeGreaterThan(50);
});
