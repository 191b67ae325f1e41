import { Command } from '@commander-js/extra-typings';
import * as z from 'zod/mini';
import { currentAssembly } from '../build/assembly.ts';
import type { Endpoints } from '../local/endpoints.ts';
import { silentLog } from '../local/log.ts';
import { isListening, readEndpoints } from '../local/running-service.ts';
import { startLocalService } from '../local/service.ts';
import { failure, runProgram } from './cli/command-line.ts';
import { stateOption } from './cli/target.ts';
import { callersOf } from './scenario/actors.ts';
import { request } from './scenario/client.ts';
import { demoScript } from './scenario/demo-script.ts';
import { reporter } from './scenario/reporter.ts';
import { playScenario } from './scenario/scenario.ts';

/** Divides the waits between retries, so that the demo takes seconds. */
const fastRetries = 100;

/** Returns the running service if one responds. */
async function runningService(stateDir: string) {
  const endpoints = readEndpoints(stateDir, z.custom<Endpoints>());
  if (!endpoints || !(await isListening(endpoints.baseUrl))) return undefined;
  const why = endpoints.whyNoSecret ?? endpoints.other.whyNoSecret;
  if (why !== undefined) throw failure(why);
  const cause = await whyNoCallbacks(endpoints);
  if (cause !== undefined)
    throw failure(`${cause}. This runs the demo on a service of its own: npm run demo -- --state none`);
  return { endpoints, [Symbol.asyncDispose]: async () => {} };
}

/** Why callbacks would not arrive where the demo waits for them, if it knows. */
async function whyNoCallbacks(endpoints: Endpoints): Promise<string | undefined> {
  const { login, partner: receiver } = endpoints;
  if (!receiver) return 'The running service has no simulators';
  const reply = await request(callersOf(endpoints).partner, 'GET /callbacks/endpoint');
  if (reply.status !== 200 && reply.status !== 404) return undefined;
  const { url = 'no address', status = 'not set', mode } = reply.body as EndpointShown;
  if (url === `${receiver.url}/callback` && status === 'ENABLED' && mode === 'post') return undefined;
  return `The callback endpoint of ${login} is ${url} (${status}), not the simulated partner`;
}

type EndpointShown = { url?: string; status?: string; mode?: string };

async function ownService(otherDir: string) {
  console.log(`No service runs on ${otherDir} (npm start), so the demo starts one of its own.`);
  const service = await startLocalService({
    assemblyDir: await currentAssembly(),
    retrySpeed: fastRetries,
    log: silentLog,
  });
  return { endpoints: service.endpoints, [Symbol.asyncDispose]: service.stop };
}

const demoPolling = { timeoutSeconds: 60, intervalMs: 100 };

async function tellStory(stateDir: string): Promise<0 | 1> {
  await using service = (await runningService(stateDir)) ?? (await ownService(stateDir));
  const report = reporter({ print: console.log, narrate: true });
  const actors = { ...callersOf(service.endpoints), sandbox: true, report, polling: demoPolling };
  await report.attempt(() => playScenario(actors, demoScript()));
  return report.end();
}

const program = new Command('npm run demo --')
  .description(
    `Tells the story of the service on real data, and ends with exit code 1 when anything differs from what it expects.
It uses the service that npm start runs (and replaces the service points there), or one of its own when none runs.`,
  )
  .addOption(stateOption)
  .action(async ({ state }) => {
    process.exitCode = await tellStory(state);
  });
process.exit((await runProgram(program)) || process.exitCode);
