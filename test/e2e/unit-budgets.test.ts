import { beforeAll, expect, test } from 'vitest';
import { bulkFlow, messageFlow, syncFlows } from '../../bench/flows/flows.ts';
import { type Measured, measureFlows } from '../../bench/flows/measure-flows.ts';

/** Fails if the flow was not measured or called nothing, because then its budget was not tested. */
function expectWithinBudget(all: readonly Measured[], name: string): void {
  const entry = all.find(({ flow }) => flow.name === name);
  expect(entry, 'was not measured').toBeDefined();
  expect(entry?.total.tableCalls).toBeGreaterThan(0);
  for (const column of ['read', 'write', 'queueRequests', 'invocations'] as const) {
    expect(entry?.total[column], column).toBeLessThanOrEqual(entry?.flow.budget[column] ?? -1);
  }
}

// FanOutStates reads the events of lists some time later, so the flows in which it is counted come first.
const flows = [
  messageFlow,
  // `npm run bench -- units` has a bulk of 10,000, which takes as long as all flows here.
  ...([1, 100, 1_000] as const).map(bulkFlow),
  ...([10, 1_000] as const).flatMap(syncFlows),
];

let measured: readonly Measured[];
beforeAll(async () => {
  measured = await measureFlows(flows);
}, 240_000);

test.each(flows.map(({ name }) => name))(
  '%s stays within its budget of units, requests and invocations',
  (name) => expectWithinBudget(measured, name),
);
