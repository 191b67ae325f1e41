import type { Figure } from './figure.ts';
import { bulkFlow, messageFlow, syncFlows } from './flows/flows.ts';
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
    budget: { of: 'median', atMost: flow.budget[column] },
  }));
}

export const unitsSection: Section = {
  name: 'units',
  about: 'table units, queue requests and invocations from a request to its last effect, at three sizes',
  run: async (rig) => {
    const syncs = ([10, 1_000, 10_000] as const).flatMap(syncFlows);
    const bulks = ([1, 100, 1_000, 10_000] as const).map(bulkFlow);
    const measured = await measureFlows([messageFlow, ...bulks, ...syncs], rig);
    return measured.flatMap(toFigures);
  },
};
