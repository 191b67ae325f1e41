import type { Figure } from './figure.ts';
import { bulkFlow, messageFlow, requestFlows, syncFlows } from './flows/flows.ts';
import { type Measured, measureFlows } from './flows/measure-flows.ts';
import type { Section } from './rig.ts';

const columns = [
  ['read', 'read', 'units'],
  ['write', 'write', 'units'],
  ['queueRequests', 'queue', 'requests'],
  ['invocations', 'invocations', 'invocations'],
] as const;

function toFigures({ flow, total }: Measured): Figure[] {
  return columns.map(([column, kind, unit]) => ({
    what: `${flow.name}: ${kind}`,
    unit,
    median: total[column],
    ...(flow.series ? { series: { ...flow.series, of: `${flow.series.of}: ${kind}` } } : {}),
    budget: { of: 'median', atMost: flow.budget[column] },
  }));
}

export const unitsSection: Section = {
  name: 'units',
  about: 'table units, queue requests and invocations of every operation and flow, at three sizes',
  run: async (rig) => {
    const syncs = ([10, 1_000, 10_000] as const).flatMap(syncFlows);
    const bulks = ([1, 100, 1_000, 10_000] as const).map(bulkFlow);
    const measured = await measureFlows([messageFlow, ...bulks, ...requestFlows, ...syncs], rig);
    return measured.flatMap(toFigures);
  },
};
