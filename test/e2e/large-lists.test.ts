import { beforeAll, test } from 'vitest';
import { syncFlows } from '../../bench/flows/flows.ts';
import { type Measured, measureFlows } from '../../bench/flows/measure-flows.ts';
import { expectWithinBudget } from './within-budget.ts';

// A list of which little changed is tested at three smaller sizes.
const flows = syncFlows(100_000).filter(({ name }) => !name.endsWith(', 1 % changed'));

let measured: Measured;
beforeAll(async () => {
  measured = await measureFlows(flows);
}, 600_000);

test.each(flows.map(({ name }) => name))('%s stays within its budget', (name) =>
  expectWithinBudget(measured, name),
);
