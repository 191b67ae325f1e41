import { describe, expect, test } from 'vitest';
import { costOf } from '../../../bench/capacity/cost.ts';
import { demandOf } from '../../../bench/capacity/limits.ts';
import { type Load, presets } from '../../../bench/capacity/load.ts';
import { reportOf } from '../../../bench/capacity/report.ts';
import { usageOf } from '../../../bench/capacity/usage.ts';

function reportFor(changes: Partial<Load>): string {
  const load = { ...presets['small-chain'], ...changes };
  const usage = usageOf(load);
  return reportOf({ name: 'changed', load, usage, cost: costOf(usage), demand: demandOf(load) });
}

const idle = { hours: 0, places: 0, checkInsADay: 0 };

describe('the report', () => {
  test('names what breaks first, and how long a list that is all new takes', () => {
    const report = reportFor({});
    expect(report).toContain('while its endpoint is dead, at 571 times this load.');
    expect(report).toContain('A list that is all new takes 0.5 s at least');
  });

  test('of a load that asks for nothing says so instead of a table, and nothing of lists', () => {
    const report = reportFor(idle);
    expect(report).toContain('Nothing is near a limit: this load asks for nothing.');
    expect(report).not.toContain('First to break');
    expect(report).not.toContain('reached at');
    expect(report).not.toContain('all new');
  });

  test('of a tiny load shows no astronomical multiple', () => {
    const report = reportFor({ ...idle, hours: 1, pushesAMinute: 1e-9 });
    expect(report).toContain('at more than 1,000,000 times this load.');
    expect(report).toContain('| more than 1,000,000 x |');
    expect(report).not.toMatch(/\d,000,000,000/);
  });
});
