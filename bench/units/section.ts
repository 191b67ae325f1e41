import type { Figure, Section } from '../section.ts';
import { unitBudgets } from './budgets.ts';
import { bulkFlow, messageFlow, requestFlows, syncFlows } from './flows.ts';
import { type Entry, measureFlows } from './measure-flows.ts';
import type { Consumption } from './meter-layer.ts';

const columns = {
  read: 'units',
  write: 'units',
  queueRequests: 'requests',
  invocations: 'invocations',
} as const satisfies Partial<Record<keyof Consumption, Figure['unit']>>;

const figuresOf = ({ flow, total }: Entry): Figure[] =>
  (Object.keys(columns) as (keyof typeof columns)[]).map((column) => {
    const atMost = unitBudgets[flow]?.[column];
    return {
      what: `${flow}: ${column === 'queueRequests' ? 'queue' : column}`,
      unit: columns[column],
      median: total[column],
      ...(atMost === undefined ? {} : { budget: { of: 'median', atMost } }),
    };
  });

/** What operations and flows consume of table, queues and Lambda, at several sizes. */
export const unitsSection: Section = {
  name: 'units',
  about:
    'units of the table, requests of queues and invocations, for every operation and flow, at three sizes',
  run: async (say) => {
    const flows = [
      ...requestFlows,
      ...[10, 1_000, 10_000].flatMap(syncFlows),
      messageFlow,
      ...[1, 1_000, 10_000].map(bulkFlow),
    ];
    const { entries } = await measureFlows(flows, say);
    return entries.flatMap(figuresOf);
  },
};
