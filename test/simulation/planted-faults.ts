import files from './planted-faults.json' with { type: 'json' };

/** Lines of the service, changed as a careless commit would change them. The simulation must notice each. */
export const plantedFaults = Object.entries(files).flatMap(([file, faults]) =>
  faults.map(([name = '', was = '', becomes = '']) => ({ name, file, was, becomes })),
);
