import { expect, test, vi } from 'vitest';
import { capacityMeter } from '../../../ops/data-lifecycle/capacity-meter.ts';
import { fillPartner } from '../../support/sample-partner.ts';
import { newTable } from '../../support/table.ts';
import { bars } from './restore-rig.ts';

test('time that passes between two readings gives no right to a burst', async () => {
  const table = await newTable();
  await fillPartner(table, bars);
  const now = vi.spyOn(performance, 'now').mockReturnValue(0);
  let waitedMs = 0;
  const wait = async (ms: number) => {
    waitedMs += ms;
  };
  const meter = capacityMeter(table, 1, { wait });
  const readAll = async () => {
    for await (const _page of meter.pagesOf(table));
    return meter.used.read * 1_000;
  };
  const first = await readAll();
  expect(waitedMs).toBe(first);
  now.mockReturnValue(first + 600_000);
  const both = await readAll();
  now.mockRestore();
  expect(waitedMs).toBe(both - 1_000);
});
