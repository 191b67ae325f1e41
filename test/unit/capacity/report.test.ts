import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { presets } from '../../../bench/capacity/load.ts';
import { estimate } from '../../../bench/capacity/report.ts';

test('the page on capacity shows what the model says today', () => {
  const page = readFileSync('docs/capacity.md', 'utf8');
  const rows = [...page.matchAll(/^\| `([\w-]+)` \| .+? \| (.+) \|$/gm)].map(([, name, found]) => [
    name,
    found,
  ]);
  const findings = Object.entries(presets).map(([name, load]) => estimate({ name, load }));
  expect(rows).toEqual(
    findings.map(({ name, cost, limits: [first] }) => [
      name,
      `${cost.total.toFixed(2)} | ${first ? `${first.what} | ${multipleOf(first)}` : 'nothing |'}`,
    ]),
  );
  const load = { ...presets['small-chain'], syncsADay: 0, checkInsADay: 0, pushDays: 0 };
  const idle = estimate({ name: 'idle', load }).cost.total.toFixed(2);
  expect(page).toContain(`Without traffic prod costs ${idle} dollars,`);
});

test('where all callbacks fail at first, the shards of the index `due` take a seventh of a million a minute', () => {
  const load = { ...presets['million-a-minute'], failingCallbacksPercent: 100 };
  const [first] = estimate({ name: 'failing', load }).limits;
  expect(first?.what).toBe('writes a second to a shard of the index `due`');
  expect(first?.multiple).toBeCloseTo(1 / 7);
});

function multipleOf({ multiple }: { multiple: number }): string {
  return `${Number(multiple.toPrecision(3)).toLocaleString('en')} x`;
}
