import fc from 'fast-check';
import { readRoles } from '../../local/template/roles.ts';
import { readServiceModel } from '../../local/template/service-model.ts';
import type { Forecast, LoadRequest } from './forecast/loads.ts';
import type { Plan } from './plan.ts';
import { plantedFaults } from './planted-faults.ts';
import type { Result } from './run.ts';
import { changeLine } from './seams/change-line.ts';

/** A request of the parent process: to run a load or a seed, or a seed's shortest plan that still fails. */
export type Request = LoadRequest | { seed: number; shrinkRuns?: number };

export type Reply = { result: Result };
export type Asked<Given extends Request> = Given extends LoadRequest ? Forecast : Reply;

const [endpoint = '', planted, assembly = '', hoursOfRuns] = process.argv.slice(2);
const hours = Number(hoursOfRuns);
for (const fault of plantedFaults) if (fault.name === planted) changeLine(fault);
await import('./seams/replace.ts');
// These modules are imported after the hooks are registered, which replace modules of the service.
const current = await import('./core/current.ts');
const { connectTableEngine } = await import('./core/table-engine.ts');
const { forecast } = await import('./forecast/forecast.ts');
const { plans } = await import('./plan.ts');
const { run } = await import('./run.ts');

const context = {
  model: readServiceModel(assembly),
  roles: readRoles(assembly),
  engine: connectTableEngine(endpoint),
};

async function answer(request: Request): Promise<Reply | Forecast> {
  if ('load' in request) return forecast(request, context);
  const { seed, shrinkRuns } = request;
  const once = { seed, numRuns: 1 };
  const [whole] = fc.sample(plans(seed, hours), once) as [Plan];
  if (shrinkRuns === undefined) return { result: await run(whole, context) };
  let left = shrinkRuns;
  const holds = async (plan: Plan): Promise<boolean> => {
    left -= 1;
    return left < 0 || (await run(plan, context)).balanced;
  };
  // fast-check leaves out actions and faults one by one, as long as the run still fails.
  const { counterexample } = await fc.check(fc.asyncProperty(plans(seed, hours), holds), once);
  const [plan] = counterexample ?? [whole];
  return { result: await run(plan, { ...context, timeline: true }) };
}

// Lambda logs a rejection that nobody handles, and continues with another instance.
process.on('unhandledRejection', (error) => current.theRun.log.add(`nobody awaited: ${error}`));

process.on('message', (request: Request) => {
  answer(request)
    .then((reply) => process.send?.(reply))
    .catch((error) => {
      console.error(error);
      process.exit(1);
    });
});
process.on('disconnect', () => process.exit());
