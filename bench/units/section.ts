import { onBuiltService } from '../built-service.ts';
import type { Figure, Section } from '../section.ts';
import { unitBudgets } from './budgets.ts';
import { bulkFlow, bulkSendFlow, type Flow, messageFlow, requestFlows, syncFlows } from './flows.ts';
import { type Entry, measureFlows } from './measure-flows.ts';
import type { Consumption } from './meter-layer.ts';

const columns = {
  read: 'units',
  write: 'units',
  queueRequests: 'requests',
  invocations: 'invocations',
} as const satisfies Partial<Record<keyof Consumption, Figure['unit']>>;

function figuresOf({ flow, total }: Entry): Figure[] {
  return (Object.keys(columns) as (keyof typeof columns)[]).map((column) => {
    const atMost = unitBudgets[flow.name]?.[column];
    const kind = column === 'queueRequests' ? 'queue' : column;
    return {
      what: `${flow.name}: ${kind}`,
      unit: columns[column],
      median: total[column],
      ...(flow.series ? { series: { ...flow.series, of: `${flow.series.of}: ${kind}` } } : {}),
      ...(atMost === undefined ? {} : { budget: { of: 'median', atMost } }),
    };
  });
}

function measure(flows: readonly Flow[], say: (progress: string) => void): Promise<Figure[]> {
  return onBuiltService(async ({ assemblyDir }) =>
    (await measureFlows(flows, { say, assemblyDir })).entries.flatMap(figuresOf),
  );
}

/** What operations and flows consume of table, queues and Lambda, at several sizes. */
export const unitsSection: Section = {
  name: 'units',
  about:
    'units of the table, requests of queues and invocations, for every operation and flow, at three sizes',
  run: (say) => {
    const syncs = [10, 1_000, 10_000].flatMap(syncFlows);
    const bulks = [1, 1_000, 10_000].map(bulkFlow);
    // The last leaves receipts behind that nobody waits for.
    return measure([...requestFlows, ...syncs, messageFlow, ...bulks, bulkSendFlow(10_000)], say);
  },
};

export const largeUnitsSection: Section = {
  name: 'units-large',
  about: 'the same for lists of 100,000 places',
  onlyWhenNamed: true,
  run: (say) => measure(syncFlows(100_000), say),
};
