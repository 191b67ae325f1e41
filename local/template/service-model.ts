import { StartUpError } from '../start-up-error.ts';
import { type ApiModel, readApi } from './api.ts';
import { type EventSources, readEventSources } from './event-sources.ts';
import { type FunctionModel, readFunctions } from './functions.ts';
import { type QueueModel, readQueues } from './queues.ts';
import { readAssembly } from './read-assembly.ts';
import { readSchedules, type ScheduleModel } from './schedules.ts';
import { readTables, type TableModel } from './tables.ts';

/** Everything the templates define, in the terms of the runner. */
export interface ServiceModel {
  readonly functions: readonly FunctionModel[];
  readonly queues: readonly QueueModel[];
  readonly tables: readonly TableModel[];
  readonly api: ApiModel;
  readonly eventSources: EventSources;
  readonly schedules: readonly ScheduleModel[];
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
  for (const { id, functionName, queueName } of eventSources.queues) {
    demand(`Mapping ${id}`, functionName, functionNames);
    demand(
      `Mapping ${id}`,
      queueName,
      queues.map(({ name }) => name),
    );
  }
  for (const { id, functionName, streamArn } of eventSources.streams) {
    demand(`Mapping ${id}`, functionName, functionNames);
    demand(
      `Mapping ${id}`,
      streamArn,
      tables.map((table) => table.streamArn),
    );
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
  const assembly = readAssembly(folder);
  const model: ServiceModel = {
    functions: readFunctions(assembly),
    queues: readQueues(assembly),
    tables: readTables(assembly),
    api: readApi(assembly),
    eventSources: readEventSources(assembly),
    schedules: readSchedules(assembly),
  };
  demandKnownTargets(model);
  demandResponsesInTime(model);
  return model;
}
