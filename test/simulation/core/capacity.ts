import { physics } from './physics.ts';

type Kind = 'read' | 'write';

/** The demand of a call on one partition key of the table or of an index. */
export type Demand = {
  kind: Kind;
  /** `table`, or the name of an index. */
  of: string;
  partition: string;
};

/** Tracks how many units the table and each of its partitions can still take in this second. */
export function createCapacity(now: () => number, scale = 1) {
  const left = new Map<string, { units: number; atMs: number }>();

  const unitsLeft = (name: string, perSecond: number) => {
    const known = left.get(name) ?? { units: perSecond, atMs: now() };
    const grown = known.units + ((now() - known.atMs) / 1_000) * perSecond;
    Object.assign(known, { units: Math.min(perSecond, grown), atMs: now() });
    left.set(name, known);
    return known;
  };
  const limitsOf = ({ kind, of, partition }: Demand) => [
    unitsLeft(`${kind} ${of}`, physics.tableUnits[kind] / scale),
    unitsLeft(`${kind} ${of} ${partition}`, physics.partitionUnits[kind] / scale),
  ];

  return {
    /** True if AWS would accept the call now. */
    takes: (demand: Demand): boolean => limitsOf(demand).every(({ units }) => units > 0),
    /** Charges the units of an accepted call. A large call is accepted whole, and later calls wait for it. */
    charge: (demand: Demand, units: number): void => {
      for (const limit of limitsOf(demand)) limit.units -= units;
    },
  };
}

export type Capacity = ReturnType<typeof createCapacity>;
