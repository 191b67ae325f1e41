import { failure } from '../../build/command-line.ts';
import { readApi } from './api.ts';
import { readEventSources } from './event-sources.ts';
import { readFunctions } from './functions.ts';
import { readQueues } from './queues.ts';
import type { Assembly } from './read-assembly.ts';
import { readAssembly } from './read-assembly.ts';
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
  const known = [
    ...[...functions, ...queues].map(({ name }) => name),
    ...tables.map((table) => table.streamArn),
  ];
  const demand = (what: string, ...targets: readonly string[]): void => {
    const unknown = targets.find((target) => !known.includes(target));
    if (unknown === undefined) return;
    throw failure(`${what} points to "${unknown}", which the templates do not define.`);
  };
  for (const { key, functionName } of api.routes) demand(`Route ${key}`, functionName);
  for (const source of eventSources.queues)
    demand(`Mapping ${source.id}`, source.functionName, source.queueName);
  for (const source of eventSources.streams)
    demand(`Mapping ${source.id}`, source.functionName, source.streamArn);
  for (const { id, functionName } of schedules) demand(`Schedule ${id}`, functionName);
}

function demandResponsesInTime({ functions, api }: ServiceModel): void {
  for (const { key, functionName } of api.routes) {
    const { timeoutSeconds = 0 } = functions.find(({ name }) => name === functionName) ?? {};
    if (timeoutSeconds < gatewayTimeoutSeconds) continue;
    throw failure(
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
