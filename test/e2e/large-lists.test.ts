import { beforeAll, test } from 'vitest';
import { syncFlows } from '../../bench/flows/flows.ts';
import { type Measured, measureFlows } from '../../bench/flows/measure-flows.ts';
import { expectWithinBudget } from './within-budget.ts';

const flows = syncFlows(100_000);

let measured: Measured;
beforeAll(async () => {
  measured = await measureFlows(flows);
}, 600_000);

test.each(flows.map(({ name }) => name))('%s stays within its budget', (name) =>
  expectWithinBudget(measured, name),
);
