import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  afterFailure,
  type Circuit,
  circuitState,
  healthy,
  withProbe,
} from '../../../shared/callbacks/circuit.ts';
import { runsFactor, seed } from '../../support/property-runs.ts';

/** The rules of a circuit in words of its own, without the time at which it began to fail. */
type Reference = Pick<
  Circuit,
  'failures' | 'weight' | 'openings' | 'openedAt' | 'openUntil' | 'lastFailureAt'
>;

const cooldownsMs = [30_000, 60_000, 120_000, 240_000, 480_000];

function afterAdmitted(from: Reference, atMs: number, { timedOut, pauseMs }: Call): Reference {
  const isProbe = from.openUntil !== undefined;
  const isInRow = from.lastFailureAt === undefined || atMs - from.lastFailureAt <= 300_000;
  const weight = isProbe ? from.weight : (isInRow ? from.weight : 0) + (timedOut ? 2 : 1);
  const next = { ...from, weight, failures: from.failures + 1, lastFailureAt: atMs };
  const breaks = isProbe || weight >= 5;
  if (!breaks && pauseMs === 0) return next;
  const waitMs = Math.max(breaks ? (cooldownsMs[from.openings] ?? 900_000) : 0, pauseMs);
  return {
    ...next,
    openings: from.openings + 1,
    openedAt: from.openedAt ?? atMs,
    openUntil: atMs + waitMs,
  };
}

interface Call {
  readonly afterMs: number;
  readonly ok: boolean;
  readonly timedOut: boolean;
  readonly pauseMs: number;
}

const call: fc.Arbitrary<Call> = fc.record({
  afterMs: fc.constantFrom(0, 1, 29_999, 30_000, 60_000, 300_000, 300_001, 900_000),
  ok: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  timedOut: fc.boolean(),
  pauseMs: fc.constantFrom(0, 0, 0, 0, 1_000, 120_000, 900_000),
});

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
        circuit = healthy;
        reference = healthy;
        continue;
      }
      circuit = afterFailure(probing, { ...one, atMs: nowMs, probe: kind === 'half-open' });
      reference = afterAdmitted(reference, nowMs, one);
      const { failingSince: _since, ...rest } = circuit;
      expect(rest).toEqual(reference);
      opened += reference.openings > 1 ? 1 : 0;
    }
  });
  fc.assert(property, { seed, numRuns: 200 * runsFactor });
  expect(opened).toBeGreaterThan(100);
});
