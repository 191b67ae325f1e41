import { expect, test } from 'vitest';
import { scanJson } from '../../shared/platform/json/scan.ts';

test.each([
  ['[1,2,[3]]', { values: 5, levels: 2 }],
  ['{"a":{"b":[0,0]},"c":0}', { values: 6, levels: 3 }],
  ['["[[,,{{","\\"[,","\\\\",[]]', { values: 6, levels: 2 }],
  ['[['.repeat(50_000), { values: 100_001, levels: 100_000 }],
  ['[]'.repeat(1_000), { values: 1_001, levels: 1 }],
  ['[[],[],[[]]]', { values: 8, levels: 3 }],
  ['["a text without end, [[[[', { values: 2, levels: 1 }],
])('%.40s is as large as it says', (text, extent) => {
  expect(scanJson(text)).toMatchObject(extent);
});
