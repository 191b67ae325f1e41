/** The seed is fixed, so that what passed keeps passing. FC_SEED=7 tries other commands and requests. */
export const seed = Number(process.env['FC_SEED'] ?? 20_260_520);

/** FC_RUNS=10 runs ten times as many. */
export const runsFactor = Number(process.env['FC_RUNS'] ?? 1);
