import { StartUpError } from '../start-up-error.ts';
import { readApi } from './api.ts';
import { readEventSources } from './event-sources.ts';
import { readFunctions } from './functions.ts';
import { readQueues } from './queues.ts';
import { readAssembly } from './read-assembly.ts';
import type { Assembly } from './resource.ts';
import { readSchedules } from './schedules.ts';
import { readTables } from './tables.ts';

/** Everything the templates define, in the terms of the runner. */
export type ServiceModel = ReturnType<typeof modelOf>;

function modelOf(assembly: Assembly) {
  return {
    functions: readFunctions(assembly),
    queues: readQueues(assembly),
    tables: readTables(assembly),
    api: readApi(assembly),
    eventSources: readEventSources(assembly),
    schedules: readSchedules(assembly),
  };
}

/** The gateway waits no longer for a function. */
const gatewayTimeoutSeconds = 30;

function demandKnownTargets({ functions, queues, tables, api, eventSources, schedules }: ServiceModel): void {
  const functionNames = functions.map(({ name }) => name);
  const demand = (what: string, name: string, known: readonly string[]): void => {
    if (known.includes(name)) return;
    throw new StartUpError(`${what} points to "${name}", which the templates do not define.`);
  };
  for (const { key, functionName } of api.routes) demand(`Route ${key}`, functionName, functionNames);
  const queueNames = queues.map(({ name }) => name);
  for (const { id, functionName, queueName } of eventSources.queues) {
    demand(`Mapping ${id}`, functionName, functionNames);
    demand(`Mapping ${id}`, queueName, queueNames);
  }
  const streamArns = tables.map(({ streamArn }) => streamArn);
  for (const { id, functionName, streamArn } of eventSources.streams) {
    demand(`Mapping ${id}`, functionName, functionNames);
    demand(`Mapping ${id}`, streamArn, streamArns);
  }
  for (const { id, functionName } of schedules) demand(`Schedule ${id}`, functionName, functionNames);
}

function demandResponsesInTime({ functions, api }: ServiceModel): void {
  for (const { key, functionName } of api.routes) {
    const { timeoutSeconds = 0 } = functions.find(({ name }) => name === functionName) ?? {};
    if (timeoutSeconds < gatewayTimeoutSeconds) continue;
    throw new StartUpError(
      `Route ${key} invokes ${functionName}, whose timeout of ${timeoutSeconds} s is not below the ${gatewayTimeoutSeconds} s that the gateway waits.`,
    );
  }
}

/** Reads the assembly in `folder`; whatever cannot be run here stops the start with a sentence. */
export function readServiceModel(folder: string): ServiceModel {
  const model = modelOf(readAssembly(folder));
  demandKnownTargets(model);
  demandResponsesInTime(model);
  return model;
}
