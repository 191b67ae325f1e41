import { expect } from 'vitest';
import type { Measured } from '../../bench/flows/measure-flows.ts';

/** A flow that was not measured, or called nothing, is no flow within its budget. */
export function expectWithinBudget({ entries }: Measured, name: string): void {
  const entry = entries.find(({ flow }) => flow.name === name);
  expect(entry, 'was not measured').toBeDefined();
  expect(entry?.total.tableCalls).toBeGreaterThan(0);
  for (const column of ['read', 'write', 'queueRequests', 'invocations'] as const) {
    expect(entry?.total[column], column).toBeLessThanOrEqual(entry?.flow.budget[column] ?? -1);
  }
}
