import { expect, test } from 'vitest';
import { inEachTest } from '../../support/in-each-test.ts';
import { interceptCalls } from '../../support/intercept-calls.ts';
import { content, numbers, pushRig } from './push-rig.ts';

const rig = inEachTest(() => pushRig(...numbers(2)));

/** The kinds of rows that are read consistently, in batches, while it acts. */
async function readConsistently(act: () => Promise<unknown>): Promise<string[]> {
  const kinds = new Set<string>();
  const end = interceptCalls(rig.table.client, ({ input }, make) => {
    const { Keys = [], ConsistentRead } = input.RequestItems?.[rig.table.name] ?? {};
    if (ConsistentRead) for (const { pk } of Keys) kinds.add(pk.split('#')[0]);
    return make();
  });
  await act();
  end();
  return [...kinds];
}

// The engine of the tests has no other reads, so the requests are looked at.
test('rule 43: a report reads the states consistently', async () => {
  const [sent] = await rig.sent.bulk(numbers(2));
  expect(await readConsistently(() => rig.report(sent))).toContain('STATES');
});

test('rule 54: of a planned send, what is due, whether it was released, and what was taken back is read consistently', async () => {
  const qos = { deliverFrom: '2026-05-20T12:10:00Z' };
  const sent = await rig.sent.bulk(numbers(2), { ...content, qos });
  await rig.cancel(sent[0], 'message');
  const receipt = () => rig.reports(sent, 'DELIVERED', '2026-05-20T12:10:00Z');
  expect(await readConsistently(receipt)).toContain('BULK');
  rig.clock.advance(11 * 60_000);
  await rig.sweep();
  expect(await readConsistently(rig.work)).toContain('DEADLINE');
  expect(await readConsistently(rig.dispatch)).toContain('STATES');
});

test('what does not change is read at half the price, and consistently where that read has missed it', async () => {
  const [sent] = await rig.sent.bulk(numbers(2));
  const read = () => rig.history(sent);
  expect(await readConsistently(read)).not.toContain('BULK');
  interceptCalls(rig.table.client, async ({ name, input }, make) => {
    const isCheap = name === 'BatchGetItemCommand' && !input.RequestItems[rig.table.name].ConsistentRead;
    return isCheap ? { Responses: {} } : make();
  });
  expect(await readConsistently(read)).toContain('BULK');
  expect((await read()).status).toBe(200);
});
