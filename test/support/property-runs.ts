/** The seed is fixed, so that runs are repeatable. FC_SEED=7 tries other commands and requests. */
export const seed = Number(process.env['FC_SEED'] ?? 20_260_520);

/** FC_RUNS=10 makes ten times as many runs. */
export const runsFactor = Number(process.env['FC_RUNS'] ?? 1);
