import type { Figure } from './figure.ts';
import { bulkFlow, bulkSendFlow, type Flow, messageFlow, requestFlows, syncFlows } from './flows/flows.ts';
import { type Measured, measureFlows } from './flows/measure-flows.ts';
import type { Rig, Section } from './rig.ts';

const columns = [
  ['read', 'read', 'units'],
  ['write', 'write', 'units'],
  ['queueRequests', 'queue', 'requests'],
  ['invocations', 'invocations', 'invocations'],
] as const;

function figuresOf({ flow, total }: Measured['entries'][number]): Figure[] {
  return columns.map(([column, kind, unit]) => ({
    what: `${flow.name}: ${kind}`,
    unit,
    median: total[column],
    ...(flow.series ? { series: { ...flow.series, of: `${flow.series.of}: ${kind}` } } : {}),
    budget: { of: 'median', atMost: flow.budget[column] },
  }));
}

async function measure(flows: readonly Flow[], rig: Rig): Promise<Figure[]> {
  const { entries } = await measureFlows(flows, rig);
  return entries.flatMap(figuresOf);
}

export const unitsSection: Section = {
  name: 'units',
  about: 'table units, queue requests and invocations of every operation and flow, at three sizes',
  run: (rig) => {
    const syncs = [10, 1_000, 10_000].flatMap(syncFlows);
    const bulks = [1, 100, 1_000, 10_000].map(bulkFlow);
    // bulkSendFlow comes last, because it does not wait for the receipts that follow.
    return measure([...requestFlows, ...syncs, messageFlow, ...bulks, bulkSendFlow], rig);
  },
};

export const largeUnitsSection: Section = {
  name: 'units-large',
  about: 'the same for lists of 100,000 places',
  onlyWhenNamed: true,
  run: (rig) => measure(syncFlows(100_000), rig),
};
