import { expect, test } from 'vitest';
import { placeStore } from '../../../shared/places/place.ts';
import { writeAll } from '../../../shared/platform/table/batches.ts';
import { placeKey } from '../../../shared/platform/table/row-keys/places.ts';
import { interceptCalls } from '../../support/intercept-calls.ts';
import { newTable, type TestTable } from '../../support/table.ts';

/** Stores points of 300 kB each, of which three fill a page of 1 MB. */
async function storePoints(table: TestTable, count: number) {
  const place = 'x'.repeat(300_000);
  const points = Array.from({ length: count }, (_, n) => ({
    ...placeKey('bars', `p${n}`),
    hash: 'h',
    place,
  }));
  await writeAll(
    table,
    points.map((put) => ({ put })),
  );
  table.units();
}

/** Records when each query begins. */
function queriesOf({ client }: TestTable): number[] {
  const begun: number[] = [];
  interceptCalls(client, ({ name }, make) => {
    if (name === 'QueryCommand') begun.push(performance.now());
    return make();
  });
  return begun;
}

test('a list reads the stored points at a pace that leaves a third of the units of their partition to cash desks', async () => {
  const table = await newTable();
  await storePoints(table, 14);
  const begun = queriesOf(table);
  expect((await placeStore(table).hashes('bars')).hashes.size).toBe(14);
  const { read } = table.units();
  expect(read).toBeGreaterThan(1_000);
  const seconds = ((begun.at(-1) ?? 0) - (begun[0] ?? 0)) / 1_000;
  // The last page is not followed by a pause, so its units do not count.
  expect((read * (begun.length - 1)) / begun.length / seconds).toBeLessThan(2_000);
});
