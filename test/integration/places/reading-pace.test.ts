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

/** Measures the pauses between an answer and the next query, which do not depend on how long the engine takes. */
function pausesOf({ client }: TestTable): number[] {
  const pausesMs: number[] = [];
  let answeredAt: number | undefined;
  interceptCalls(client, async ({ name }, make) => {
    if (name !== 'QueryCommand') return make();
    if (answeredAt !== undefined) pausesMs.push(performance.now() - answeredAt);
    const answer = await make();
    answeredAt = performance.now();
    return answer;
  });
  return pausesMs;
}

test('a list reads the stored points at a pace that leaves a third of the units of their partition to cash desks', async () => {
  const table = await newTable();
  await storePoints(table, 14);
  const pausesMs = pausesOf(table);
  expect((await placeStore(table).hashes('bars')).hashes.size).toBe(14);
  const { read } = table.units();
  expect(read).toBeGreaterThan(1_000);
  const unitsOfPage = read / (pausesMs.length + 1);
  const meanMs = pausesMs.reduce((sum, ms) => sum + ms, 0) / pausesMs.length;
  expect((unitsOfPage / meanMs) * 1_000).toBeLessThan(2_000);
});
