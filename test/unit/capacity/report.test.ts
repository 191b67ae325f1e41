import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Load, presets } from '../../../bench/capacity/load.ts';
import { estimate, formatReport } from '../../../bench/capacity/report.ts';

function reportFor(changes: Partial<Load>): string {
  return formatReport(estimate({ name: 'changed', load: { ...presets['small-chain'], ...changes } }));
}

const idle = { hours: 0, places: 0, checkInsADay: 0 };

describe('the report', () => {
  test('names what breaks first', () => {
    expect(reportFor({})).toContain('while its endpoint is dead, at 571 times this load.');
  });

  test('of a load that asks for nothing says so instead of a table', () => {
    const report = reportFor(idle);
    expect(report).toContain('Nothing is near a limit: this load asks for nothing.');
    expect(report).not.toContain('First to break');
    expect(report).not.toContain('reached at');
  });
});

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
