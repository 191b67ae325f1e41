import { afterAll, beforeAll, expect, test } from 'vitest';
import { documented } from '../../../docs/generate/operations.ts';
import { callbackCosts } from './callback-costs.ts';
import { checkInCosts } from './check-in-costs.ts';
import type { CostCase, CostCases } from './cost-case.ts';
import { costRig } from './cost-rig.ts';
import { endpointCosts } from './endpoint-costs.ts';
import { hostileNames } from './hostile-names.ts';
import { keyCosts } from './key-costs.ts';
import { placeCosts } from './place-costs.ts';
import { promotionCosts } from './promotion-costs.ts';
import { sandboxCosts } from './sandbox-costs.ts';
import { sendCosts } from './send-costs.ts';
import { sentCosts } from './sent-costs.ts';

const cases: CostCases = {
  ...placeCosts,
  ...checkInCosts,
  ...sendCosts,
  ...sentCosts,
  ...promotionCosts,
  ...keyCosts,
  ...endpointCosts,
  ...callbackCosts,
  ...sandboxCosts,
};

/** On a busy machine the dearest cases take half a minute. */
const longestMs = 120_000;

const operations = documented.map(({ operation }) => operation);

let rig: Awaited<ReturnType<typeof costRig>>;
beforeAll(async () => {
  rig = await costRig();
});
afterAll(() => rig.stop());

test('every operation has a worst case, and every case an operation', () => {
  const ids = operations.map(({ id }) => id);
  const missing = ids.filter((id) => !cases[id]?.length);
  const sentences = [
    ...missing.map((id) => `${id} has no worst case: add one to test/integration/costs/*-costs.ts`),
    ...Object.keys(cases)
      .filter((id) => !ids.includes(id))
      .map((id) => `${id} is not an operation: take its cases out of test/integration/costs/*-costs.ts`),
  ];
  expect(sentences).toEqual([]);
});

const named = operations.flatMap((operation) =>
  [...(cases[operation.id] ?? []), ...(operation.body ? hostileNames(operation.body, operation) : [])].map(
    (one) => [operation.id, one.worst, operation, one] as const,
  ),
);

test.each(named)(
  '%s: %s',
  async (_id, _worst, operation, one: CostCase) => {
    const { status, units, cpuMs, parseMs, boundMs } = await rig.measure(operation, one);
    expect(status).toBe(one.status ?? 200);
    const { read, write } = units;
    if (one.atMost === undefined) expect({ read, write }).toEqual(one.units);
    expect(read).toBeLessThanOrEqual(one.units.read);
    expect(write).toBeLessThanOrEqual(one.units.write);
    const took = `${cpuMs.toFixed(1)} ms of CPU; parsing its larger text takes ${parseMs.toFixed(2)} ms`;
    expect(cpuMs, took).toBeLessThanOrEqual(boundMs);
  },
  longestMs,
);
