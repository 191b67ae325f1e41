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
  const defined = {
    function: functions.map(({ name }) => name),
    queue: queues.map(({ name }) => name),
    stream: tables.map((table) => table.streamArn),
  };
  const demand = (what: string, kind: keyof typeof defined, target: string): void => {
    if (defined[kind].includes(target)) return;
    throw failure(`${what} points to "${target}", which the templates do not define.`);
  };
  for (const { key, functionName } of api.routes) demand(`Route ${key}`, 'function', functionName);
  for (const { id, functionName, queueName } of eventSources.queues) {
    demand(`Mapping ${id}`, 'function', functionName);
    demand(`Mapping ${id}`, 'queue', queueName);
  }
  for (const { id, functionName, streamArn } of eventSources.streams) {
    demand(`Mapping ${id}`, 'function', functionName);
    demand(`Mapping ${id}`, 'stream', streamArn);
  }
  for (const { id, functionName } of schedules) demand(`Schedule ${id}`, 'function', functionName);
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
