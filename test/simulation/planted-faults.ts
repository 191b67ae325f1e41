import files from './planted-faults.json' with { type: 'json' };
import type { ChangedLine } from './seams/change-line.ts';

/** One line of the service, changed as a careless commit would change it. The simulation must notice. */
export interface PlantedFault extends ChangedLine {
  readonly name: string;
}

export const plantedFaults: readonly PlantedFault[] = Object.entries(files).flatMap(([file, faults]) =>
  faults.map(([name = '', was = '', becomes = '']) => ({ name, file, was, becomes })),
);
