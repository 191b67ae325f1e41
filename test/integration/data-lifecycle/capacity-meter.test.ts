import { expect, test, vi } from 'vitest';
import { capacityMeter } from '../../../ops/data-lifecycle/capacity-meter.ts';
import { writeAll } from '../../../shared/platform/table/batches.ts';
import { interceptCalls } from '../../support/intercept-calls.ts';
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

test('a page that the table refuses for a moment is read again, unless it is the first or the error will stay', async () => {
  const table = await newTable();
  const content = 'x'.repeat(390_000);
  await writeAll(
    table,
    [1, 2, 3, 4].map((n) => ({ put: { pk: `PK#${n}`, sk: '-', content } })),
  );
  const pagesIn = async () => {
    const told: string[] = [];
    const meter = capacityMeter(table, 1e9, { progress: (text) => told.push(text) });
    const pages: number[] = [];
    const failed = await (async () => {
      for await (const page of meter.pagesOf(table)) pages.push(page.length);
    })().catch((error: Error) => error.message);
    return { pages, failed, last: told.at(-1) };
  };
  const all = await pagesIn();
  expect(all).toMatchObject({ failed: undefined, last: '' });
  expect(all.pages.length).toBeGreaterThan(1);
  for (const [nth, httpStatusCode, seen] of [
    [2, 503, all],
    [1, 503, { pages: [], failed: 'refused', last: '' }],
    [2, 400, { pages: all.pages.slice(0, 1), failed: 'refused', last: '' }],
  ] as const) {
    let scans = 0;
    const end = interceptCalls(table.client, ({ name }, make) => {
      if (name === 'ScanCommand') scans += 1;
      if (name !== 'ScanCommand' || scans !== nth) return make();
      throw Object.assign(new Error('refused'), { $metadata: { httpStatusCode } });
    });
    expect([nth, httpStatusCode, await pagesIn()]).toEqual([nth, httpStatusCode, seen]);
    end();
  }
});
