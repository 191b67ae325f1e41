import files from './planted-faults.json' with { type: 'json' };

/** One line of the service, changed as a careless commit would change it. The simulation must notice. */
export interface PlantedFault {
  readonly name: string;
  readonly file: string;
  /** Occurs once in the file. */
  readonly was: string;
  readonly becomes: string;
}

export const plantedFaults: readonly PlantedFault[] = Object.entries(files).flatMap(([file, faults]) =>
  faults.map(([name = '', was = '', becomes = '']) => ({ name, file, was, becomes })),
);
