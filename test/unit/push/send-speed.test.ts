import { expect, test } from 'vitest';
import { speedOf } from '../../../shared/push/reporting/send-speed.ts';

const handedOver = Date.parse('2026-05-20T12:59:30.900Z');

/** Messages that were delivered and opened so many seconds after 12:59:30. */
function reached(delivered: readonly number[], opened: readonly number[] = []) {
  const at = (seconds: number) => handedOver - 900 + seconds * 1_000;
  return [
    ...delivered.map((seconds) => ({ reachedAt: { DELIVERED: at(seconds) } })),
    ...opened.map((seconds) => ({ reachedAt: { OPENED: at(seconds) } })),
  ];
}

test('rule 54: of 20 times the 10th is the median, the 19th the 95th percentile, in whole seconds', () => {
  const seconds = [20, 3, 100, 1, 5, 4, 9, 8, 7, 6, 10, 2, 19, 18, 17, 16, 15, 14, 13, 12];
  expect(speedOf(reached(seconds, [61]), handedOver)).toMatchObject({
    deliveredWithin: { p50Seconds: 10, p95Seconds: 20 },
    openedWithin: { p50Seconds: 61, p95Seconds: 61 },
  });
  expect(speedOf(reached([1, 2, 3]), handedOver).deliveredWithin).toEqual({ p50Seconds: 2, p95Seconds: 3 });
});

test('rule 54: the hours are those of the clock, from that of the handing over on 72, without empty ones', () => {
  const hour = 3_600;
  // The last second of the 72nd hour and the one after it, 14:59:59, 13:00:00 and 12:59:59.
  const delivered = [71 * hour + 29, 71 * hour + 30, 30 + 2 * hour - 1, 30, 29];
  const { byHour } = speedOf(reached(delivered, [-3_571, -3_570, 40]), handedOver);
  expect(byHour).toEqual([
    { hour: '2026-05-20T12:00:00.000Z', delivered: 1, opened: 1 },
    { hour: '2026-05-20T13:00:00.000Z', delivered: 1, opened: 1 },
    { hour: '2026-05-20T14:00:00.000Z', delivered: 1, opened: 0 },
    { hour: '2026-05-23T11:00:00.000Z', delivered: 1, opened: 0 },
  ]);
});
