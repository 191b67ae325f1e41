import { expect, test } from 'vitest';
import { coldMs, dollarsAMillion, warmMs } from '../../../bench/capacity/memory.ts';

const cpu = { warm: 2, cold: 100, waits: 2 };

test('less memory is a slower processor: a whole one comes with 1,769 MB, and more changes nothing', () => {
  expect(warmMs(cpu, 1_769)).toBe(12);
  expect(warmMs(cpu, 3_008)).toBe(12);
  expect(warmMs(cpu, 884.5)).toBe(14);
  expect(coldMs(cpu, 884.5)).toBe(210);
});

test('a million invocations at 1,024 MB cost their GB-seconds and the requests', () => {
  // 13.5 ms, billed as 14: 14,000 GB-seconds.
  expect(dollarsAMillion(cpu, 1_024)).toBeCloseTo(0.2 + 14_000 * 0.0000133334, 6);
});
