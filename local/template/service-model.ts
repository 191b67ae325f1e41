import { StartUpError } from '../start-up-error.ts';
import { type ApiModel, readApi } from './api.ts';
import { type EventSources, readEventSources } from './event-sources.ts';
import { type FunctionModel, readFunctions } from './functions.ts';
import { type QueueModel, readQueues } from './queues.ts';
import { readAssembly } from './read-assembly.ts';
import { readSchedules, type ScheduleModel } from './schedules.ts';
import { demandSupportedTypes } from './supported-types.ts';
import { readTables, type TableModel } from './tables.ts';

/** Everything the templates ask for, in the words of the runner. */
export interface ServiceModel {
  readonly functions: readonly FunctionModel[];
  readonly queues: readonly QueueModel[];
  readonly tables: readonly TableModel[];
  readonly api: ApiModel | undefined;
  readonly eventSources: EventSources;
  readonly schedules: readonly ScheduleModel[];
}

function demandKnownTargets(model: ServiceModel): void {
  const functions = new Set(model.functions.map(({ name }) => name));
  const queues = new Set(model.queues.map(({ name }) => name));
  const { queues: queueSources, streams } = model.eventSources;
  const named: (readonly [what: string, name: string, known: ReadonlySet<string>])[] = [
    ...(model.api?.routes ?? []).map(
      (route) => [`Route ${route.key}`, route.functionName, functions] as const,
    ),
    ...queueSources.map((source) => [`Mapping ${source.id}`, source.functionName, functions] as const),
    ...queueSources.map((source) => [`Mapping ${source.id}`, source.queueName, queues] as const),
    ...streams.map((source) => [`Mapping ${source.id}`, source.functionName, functions] as const),
    ...model.schedules.map(
      (schedule) => [`Schedule ${schedule.id}`, schedule.functionName, functions] as const,
    ),
  ];
  for (const [what, name, known] of named) {
    if (!known.has(name))
      throw new StartUpError(`${what} points to "${name}", which the templates do not define.`);
  }
}

/** Reads the assembly in `folder`; whatever cannot be run here stops with a sentence. */
export function readServiceModel(folder: string): ServiceModel {
  const assembly = readAssembly(folder);
  demandSupportedTypes(assembly);
  const model: ServiceModel = {
    functions: readFunctions(assembly),
    queues: readQueues(assembly),
    tables: readTables(assembly),
    api: readApi(assembly),
    eventSources: readEventSources(assembly),
    schedules: readSchedules(assembly),
  };
  demandKnownTargets(model);
  return model;
}
