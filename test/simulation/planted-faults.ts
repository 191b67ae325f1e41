import files from './planted-faults.json' with { type: 'json' };
import type { LineChange } from './seams/change-line.ts';

/** Lines of the service, changed as a careless commit might change them. The simulation must find each fault. */
export const plantedFaults: readonly LineChange[] = Object.entries(files).flatMap(([file, faults]) =>
  faults.map(([name = '', was = '', becomes = '']) => ({ name, file, was, becomes })),
);
