import fc from 'fast-check';
import type { Plan } from './plan.ts';
import { plantedFaults } from './planted-faults.ts';
import type { Result } from './run.ts';
import { changeLine } from './seams/change-line.ts';

/** What the command asks of a worker. */
export type Request =
  | { readonly kind: 'run'; readonly seed: number; readonly hours: number }
  | { readonly kind: 'replay'; readonly plan: Plan }
  | { readonly kind: 'shrink'; readonly seed: number; readonly hours: number; readonly runs: number };

/** A result, with the plan and the timeline where they matter. */
export interface Reply {
  readonly result: Result;
  readonly plan?: Plan;
}

const [endpoint = '', planted] = process.argv.slice(2);
for (const fault of plantedFaults) if (fault.name === planted) changeLine(fault);
await import('./seams/replace.ts');
// Imported when the hooks stand, which replace modules of the service.
const { theRun } = await import('./core/current.ts');
const { connectTableEngine } = await import('./core/table-engine.ts');
const { plans } = await import('./plan.ts');
const { run } = await import('./run.ts');
const { readModel } = await import('./world.ts');

const context = { model: readModel(), engine: connectTableEngine(endpoint) };

/** fast-check leaves out actions and faults one by one, as long as the rest still fails. */
async function shrink({ seed, hours, runs }: Extract<Request, { kind: 'shrink' }>): Promise<Reply> {
  let left = runs;
  const holds = async (plan: Plan): Promise<boolean> => {
    left -= 1;
    return left < 0 || (await run(plan, context)).balanced;
  };
  const { counterexample } = await fc.check(fc.asyncProperty(plans(seed, hours), holds), {
    seed,
    numRuns: 1,
  });
  const plan = counterexample?.[0] ?? planOf(seed, hours);
  return { plan, result: await run(plan, { ...context, timeline: true }) };
}

function planOf(seed: number, hours: number): Plan {
  return fc.sample(plans(seed, hours), { seed, numRuns: 1 })[0] as Plan;
}

async function answer(request: Request): Promise<Reply> {
  if (request.kind === 'shrink') return shrink(request);
  if (request.kind === 'replay') return { result: await run(request.plan, { ...context, timeline: true }) };
  return { result: await run(planOf(request.seed, request.hours), context) };
}

// Lambda logs what nobody awaited, and goes on with another instance.
process.on('unhandledRejection', (error) => theRun().log.add(`nobody awaited: ${error}`));

process.on('message', async (request: Request) => {
  process.send?.(await answer(request));
});
