import { beforeAll, describe, expect, test } from 'vitest';
import { bulkFlow, messageFlow, requestFlows, syncFlows } from '../../bench/flows/flows.ts';
import { type Measured, measureFlows } from '../../bench/flows/measure-flows.ts';
import { functionIds, permissionsIn, statementsOf } from '../infra/permissions.ts';
import { templatesOf } from '../infra/synthesize.ts';
import { isCi } from '../support/property-runs.ts';

/** Fails if the flow was not measured or called nothing, because then its budget was not tested. */
function expectWithinBudget({ entries }: Measured, name: string): void {
  const entry = entries.find(({ flow }) => flow.name === name);
  expect(entry, 'was not measured').toBeDefined();
  expect(entry?.total.tableCalls).toBeGreaterThan(0);
  for (const column of ['read', 'write', 'queueRequests', 'invocations'] as const) {
    expect(entry?.total[column], column).toBeLessThanOrEqual(entry?.flow.budget[column] ?? -1);
  }
}

// FanOutStates reads the events of promotions and lists some time later, so the flows in which it is counted come first.
const flows = [
  messageFlow,
  // A bulk of 10,000 takes half of the time of all flows, so a laptop leaves it to CI.
  ...(isCi ? ([1, 100, 10_000] as const) : ([1, 100] as const)).map(bulkFlow),
  ...requestFlows,
  ...([10, 1_000] as const).flatMap(syncFlows),
];

let measured: Measured;
beforeAll(async () => {
  measured = await measureFlows(flows);
}, 240_000);

test.each(flows.map(({ name }) => name))(
  '%s stays within its budget of units, requests and invocations',
  (name) => expectWithinBudget(measured, name),
);

describe('no function calls what its role does not grant, which the local engines would let pass:', () => {
  const { all: service } = templatesOf('dev');
  /** A transaction needs the permission for each of its writes, and a batch of messages needs that for one message. */
  const asGranted: Record<string, string[]> = {
    TransactWriteItems: ['dynamodb:PutItem', 'dynamodb:UpdateItem'],
    SendMessageBatch: ['sqs:SendMessage'],
    SendMessage: ['sqs:SendMessage'],
  };

  test.each(functionIds(service))('%s', (id) => {
    const granted = Object.values(permissionsIn(statementsOf(service, id))).flat();
    const ofFunction = measured.consumed.filter(({ functionName }) => functionName === id);
    const operations = new Set(ofFunction.flatMap(({ operation = [] }) => operation));
    const called = [...operations].flatMap((one) => asGranted[one] ?? [`dynamodb:${one}`]);
    expect(called.filter((action) => !granted.includes(action))).toEqual([]);
  });

  test('every call that was measured names a function of the template', () => {
    const names = [...new Set(measured.consumed.map(({ functionName }) => functionName))];
    expect(names.filter((name) => !functionIds(service).includes(name))).toEqual([]);
    expect(names.length).toBeGreaterThan(15);
  });
});
