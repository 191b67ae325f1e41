import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { presets } from '../../../bench/capacity/load.ts';
import { estimate } from '../../../bench/capacity/report.ts';

test('the page on capacity shows what the model says today', () => {
  const page = readFileSync('docs/capacity.md', 'utf8').split('\n');
  const findings = Object.entries(presets).map(([name, load]) => estimate({ name, load }));
  const dollars = findings.map(({ cost }) => ({ ...cost.byService, ...cost.byArea }));
  for (const name of Object.keys(dollars[0] ?? {})) {
    expect(page).toContain(`| ${name} | ${dollars.map((of) => of[name]?.toFixed(2)).join(' | ')} |`);
  }
  const totals = findings.map(({ cost }) => `**${cost.total.toFixed(2)}**`);
  expect(page).toContain(`| **total** | ${totals.join(' | ')} |`);
  const [idle, used] = findings.slice(-2).map(({ cost }) => cost.total.toFixed(2));
  expect(page).toContain(
    `A sandbox costs **${idle} dollars a month idle** and **${used} with 1,000 messages a day**.`,
  );
  const loads = findings.filter(({ name }) => !name.startsWith('sandbox'));
  for (const { what, limit, by } of loads.at(-1)?.limits.slice(0, 8) ?? []) {
    const multiples = loads.map(({ limits }) => limits.find((one) => one.what === what)?.multiple ?? 0);
    const cells = multiples.map((multiple) => `${Number(multiple.toPrecision(3)).toLocaleString('en')} x`);
    expect(page).toContain(`| ${what} | ${limit.toLocaleString('en')} | ${by} | ${cells.join(' | ')} |`);
  }
});
