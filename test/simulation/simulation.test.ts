import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runNode } from '../support/run-node.ts';
import { plantedFaults } from './planted-faults.ts';

test('the same seeds make the same runs, and all of them balance', async () => {
  const args = ['test/simulation/simulate.ts', '--seed', '1', '--runs', '10', '--hours', '1', '--json'];
  const first = await runNode(args);
  const second = await runNode(args);
  const sorted = (out: string) => out.trim().split('\n').sort();
  expect(first.code).toBe(0);
  expect(sorted(first.out)).toHaveLength(10);
  expect(sorted(second.out)).toEqual(sorted(first.out));
});

test.each(plantedFaults)('$file still has the line in which "$name"', ({ file, was, becomes }) => {
  const source = readFileSync(file, 'utf8');
  expect(source.split(was)).toHaveLength(2);
  expect(becomes).not.toBe(was);
});
