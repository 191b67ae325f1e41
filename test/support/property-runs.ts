/** The seed is fixed, so that runs are repeatable. FC_SEED=7 tries other commands and requests. */
export const seed = Number(process.env['FC_SEED'] ?? 20_260_520);

/** CI tries more inputs, and browsers, and rows than a laptop, where somebody waits. */
export const isCi = Boolean(process.env['CI']);

const factor = Number(process.env['FC_RUNS'] ?? (isCi ? 1 : 0.4));

/** How many inputs a property gets of those that CI gives it. FC_RUNS=10 makes ten times as many as CI does. */
export function runs(inCi: number): number {
  return Math.ceil(inCi * factor);
}
