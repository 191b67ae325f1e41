import fc from 'fast-check';
import { expect } from 'vitest';
import { runsFactor, seed } from '../../support/property-runs.ts';

/** FC_PATH=... replays one counterexample. */
const path = process.env['FC_PATH'];

/** For the test. Runs and shrinking end earlier: a test that is cut off would not print its counterexample. */
export const timeLimitMs = 150_000 * runsFactor;
const limitMs = 120_000 * runsFactor;

export type Command<Model extends object, Real> = fc.AsyncCommand<Model, Real>;

let executed = 0;

/** One command: its title is what a counterexample shows. */
export function command<Model extends object, Real>(
  title: string,
  run: (model: Model, real: Real) => Promise<void>,
  check: (model: Readonly<Model>) => boolean = () => true,
): Command<Model, Real> {
  return {
    check,
    run: async (model, real) => {
      executed += 1;
      await run(model, real);
    },
    toString: () => title,
  };
}

type Plan<Model extends object, Real> = {
  name: string;
  runs: number;
  maxCommands: number;
  commands: fc.Arbitrary<Command<Model, Real>>[];
  setup: () => Promise<{ model: Model; real: Real }>;
  /** What must hold after the last command. */
  finish: (model: Model, real: Real) => Promise<void>;
};

/** Runs random commands on the model and on the real thing side by side; returns how many were executed. */
export async function runModel<Model extends object, Real>(plan: Plan<Model, Real>): Promise<number> {
  executed = 0;
  const commands = fc.commands(plan.commands, { maxCommands: plan.maxCommands, size: 'max' });
  const runs = plan.runs * runsFactor;
  await fc.assert(
    fc.asyncProperty(commands, async (list) => {
      const { model, real } = await plan.setup();
      await fc.asyncModelRun(() => ({ model, real }), list);
      await plan.finish(model, real);
    }),
    {
      seed,
      ...(path === undefined ? {} : { path }),
      numRuns: runs,
      interruptAfterTimeLimit: limitMs,
      markInterruptAsFailure: true,
    },
  );
  if (process.env['FC_STATS']) console.info(`${plan.name}: seed ${seed}, ${runs} runs, ${executed} commands`);
  return executed;
}

/** The commands went where they were meant to go: each thing that was counted came up. A chosen seed need not reach it. */
export function expectReached(counts: Record<string, number>, atLeast: number): void {
  if (process.env['FC_STATS']) console.info(counts);
  if (process.env['FC_SEED'] !== undefined || path !== undefined) return;
  const missed = Object.entries(counts).filter(([, count]) => count < atLeast);
  expect(missed).toEqual([]);
}
