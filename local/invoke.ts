import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { currentAssembly } from '../build/assembly.ts';
import { runProgram, usageError } from '../ops/cli/command-line.ts';
import { externalEndpoints } from './engines/engines.ts';
import { borrowEngines } from './invoke/borrow-engines.ts';
import { invokeOnce } from './invoke/invoke-once.ts';
import { pretty, textReport } from './invoke/report.ts';
import { defaultStateDir } from './running-service.ts';
import { isRecord } from './template/is-record.ts';
import {
  type FunctionModel,
  functionNamed,
  prefixNames,
  readServiceModel,
  type ServiceModel,
} from './template/service-model.ts';

function readEvent(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw usageError(`The event file ${file} cannot be read, or is not JSON: ${(error as Error).message}.`);
  }
}

/** Without this check, a function with a route would fail with a TypeError of its own code. */
function checkEvent(event: unknown, file: string, model: FunctionModel, { api: { routes } }: ServiceModel) {
  if (!routes.some(({ functionName }) => functionName === model.name)) return;
  if (isRecord(event) && 'requestContext' in event) return;
  throw usageError(
    `${file} is no event of the HTTP API: copy events/${model.logicalId}.json and change its body.`,
  );
}

async function invoke(functionName: string, eventFile: string, stateDir: string, json = false) {
  const rolesIn = resolve(await currentAssembly());
  const service = readServiceModel(rolesIn);
  const model = functionNamed(functionName, service);
  const event = readEvent(eventFile);
  checkEvent(event, eventFile, model, service);
  const engines = await borrowEngines(stateDir, service, externalEndpoints());
  try {
    const fn = prefixNames(model, service, engines.namePrefix);
    const invocation = await invokeOnce(fn, engines, event, { rolesIn });
    const report = { function: functionName, event: eventFile, engines: engines.whose, ...invocation };
    console.log(json ? pretty(report) : textReport(report));
    if ('error' in invocation) process.exitCode = 1;
  } finally {
    await engines.giveBack();
  }
}

const program = new Command('npm run invoke --')
  .description('Runs one function of the built service on this machine, without Docker.')
  .argument(
    '<function>',
    'Its id, as in the template: StartSync, ProcessSync ... (events/ has a sample for each)',
  )
  .argument('[event.json]', 'The event it is invoked with (default: events/<function>.json)')
  .option('--json', 'Print one JSON document instead of text')
  .option('--state <folder>', 'State folder of the service that npm start runs', defaultStateDir)
  .addHelpText(
    'after',
    `
Environment:
  DYNAMODB_ENDPOINT  Use this DynamoDB instead of starting one
  SQS_ENDPOINT       Use this SQS instead of starting one

While npm start runs, the function works on its data. Otherwise it gets a table and queues of its own with
two partners in them, which are deleted afterwards.

Exit code: 0 when the function returned a response, 1 when it failed (threw, ran out of time, could not be
loaded), 2 for wrong usage.`,
  )
  .action((functionName, eventFile = `events/${functionName}.json`, { state, json }) =>
    invoke(functionName, eventFile, state, json),
  );

const exitCode = await runProgram(program);
if (exitCode !== 0) process.exitCode = exitCode;
