import { physics } from './physics.ts';

type Kind = 'read' | 'write';

/** What a call asks of one partition: a partition key of the table, or of one of its indexes. */
export interface Demand {
  readonly kind: Kind;
  /** `table`, or the name of an index. */
  readonly of: string;
  readonly partition: string;
}

/** How much the table and each of its partitions still take within the present second. */
export function createCapacity(now: () => number) {
  /** `throttled` counts calls, whole or in part. */
  const used = { read: 0, write: 0, throttled: 0 };
  const left = new Map<string, { units: number; atMs: number }>();

  const unitsLeft = (name: string, perSecond: number) => {
    const known = left.get(name) ?? { units: perSecond, atMs: now() };
    const grown = known.units + ((now() - known.atMs) / 1_000) * perSecond;
    Object.assign(known, { units: Math.min(perSecond, grown), atMs: now() });
    left.set(name, known);
    return known;
  };
  const limitsOf = ({ kind, of, partition }: Demand) => [
    unitsLeft(`${kind} ${of}`, physics.tableUnits[kind]),
    unitsLeft(`${kind} ${of} ${partition}`, physics.partitionUnits[kind]),
  ];

  return {
    used,
    /** Whether AWS would take it now. */
    takes: (demand: Demand): boolean => limitsOf(demand).every(({ units }) => units > 0),
    /** It was taken, at this price: a large one is taken whole, and those after it wait. */
    charge: (demand: Demand, units: number): void => {
      used[demand.kind] += units;
      for (const limit of limitsOf(demand)) limit.units -= units;
    },
  };
}

export type Capacity = ReturnType<typeof createCapacity>;
