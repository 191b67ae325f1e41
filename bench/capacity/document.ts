import { costOf } from './cost.ts';
import { demandOf } from './limits.ts';
import { type Preset, presets } from './load.ts';
import type { Run } from './plot.ts';
import { costTable, limitTable, needTable, simulationReport } from './report.ts';
import { usageOf } from './usage.ts';

export const documentFile = 'docs/capacity.md';

function blocksOf(runs: readonly Run[]): Map<string, string> {
  const names = Object.keys(presets) as Preset[];
  const found = new Map<string, string>(
    names.map((name) => {
      const demand = demandOf(presets[name]);
      return [name, [costTable(costOf(usageOf(presets[name]))), limitTable(demand)].join('\n\n')];
    }),
  );
  found.set('functions', needTable(demandOf(presets['million-a-minute'])));
  return found.set('simulation', simulationReport(runs));
}

/** The page with its generated tables made anew: each stands between `<!-- begin x -->` and `<!-- end x -->`. */
export function renewed(page: string, runs: readonly Run[]): string {
  let text = page;
  for (const [name, block] of blocksOf(runs)) {
    const begin = `<!-- begin ${name} -->`;
    const end = `<!-- end ${name} -->`;
    const from = text.indexOf(begin);
    const to = text.indexOf(end);
    if (from < 0 || to < from)
      throw new Error(`${documentFile} has no place for "${name}": ${begin} ... ${end}`);
    text = `${text.slice(0, from + begin.length)}\n\n${block}\n\n${text.slice(to)}`;
  }
  return text;
}
