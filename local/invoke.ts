import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { buildAssembly, isStale } from '../build/assembly.ts';
import { CommandError } from '../build/command-line.ts';
import { borrowEngines } from './invoke/borrow-engines.ts';
import { help, type InvokeCommand, type InvokeOptions, readInvokeCommand } from './invoke/command-line.ts';
import { invokeOnce } from './invoke/invoke-once.ts';
import { jsonReport, textReport } from './invoke/report.ts';
import type { FunctionModel } from './template/functions.ts';
import { readServiceModel, type ServiceModel } from './template/service-model.ts';

const assemblyDir = 'cdk.out';

class WrongUsage extends Error {}

function readEvent(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new WrongUsage(`The event file ${file} cannot be read.`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new WrongUsage(`The event file ${file} is not JSON: ${(error as Error).message}.`);
  }
}

function functionNamed(name: string, { functions }: ServiceModel): FunctionModel {
  const found = functions.find(({ logicalId }) => logicalId === name);
  if (found) return found;
  const names = functions.map(({ logicalId }) => logicalId).sort();
  throw new WrongUsage(`There is no function "${name}", choose one of ${names.join(', ')}.`);
}

async function invoke({ functionName, eventFile, stateDir, json }: InvokeOptions): Promise<number> {
  if (isStale(assemblyDir)) await buildAssembly();
  const service = readServiceModel(resolve(assemblyDir));
  const model = functionNamed(functionName, service);
  const event = readEvent(eventFile);
  const engines = await borrowEngines(stateDir, service);
  try {
    const invocation = await invokeOnce(model, engines, event);
    const told = { ...invocation, functionName, eventFile, engines: engines.whose };
    console.log(json ? jsonReport(told) : textReport(told));
    return 'response' in invocation.outcome ? 0 : 1;
  } finally {
    await engines.giveBack();
  }
}

async function run(command: InvokeCommand): Promise<number> {
  switch (command.kind) {
    case 'help':
      console.log(help);
      return 0;
    case 'mistake':
      throw new WrongUsage(command.sentence);
    case 'invoke':
      return invoke(command.options);
  }
}

process.exitCode = await run(readInvokeCommand(process.argv.slice(2))).catch((error: unknown) => {
  if (!(error instanceof WrongUsage) && !(error instanceof CommandError)) throw error;
  console.error(error.message);
  return error instanceof WrongUsage ? 2 : 1;
});
