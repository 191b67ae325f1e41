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
  const standing = findings.at(0)?.cost.byArea['standing']?.toFixed(2);
  expect(page).toContain(`Without traffic prod costs ${standing} dollars,`);
});

function multipleOf({ multiple }: { multiple: number }): string {
  return `${Number(multiple.toPrecision(3)).toLocaleString('en')} x`;
}
