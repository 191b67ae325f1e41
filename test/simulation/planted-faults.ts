import files from './planted-faults.json' with { type: 'json' };
import type { LineChange } from './seams/change-line.ts';

/** A fault is looked for in runs of so many hours. */
type PlantedFault = LineChange & { hours: number };

/** Lines of the service, changed as a careless commit might change them. The simulation must find each fault. */
export const plantedFaults: readonly PlantedFault[] = Object.entries(files).flatMap(([file, faults]) =>
  faults.map(([name = '', was = '', becomes = '', hours = '2']) => {
    return { name, file, was, becomes, hours: Number(hours) };
  }),
);
