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
