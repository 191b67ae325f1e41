import * as z from 'zod/mini';
import { type ExternalEndpoints, startEngines } from '../engines/engines.ts';
import { rememberPartners, sampleSecret } from '../partners.ts';
import { isListening, readEndpoints } from '../running-service.ts';
import { seedPartners } from '../seed.ts';
import { prefixNames, type ServiceModel } from '../template/service-model.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const RunningService = z.object({
  dynamodb: z.string(),
  sqs: z.string(),
  retrySpeed: z.number(),
  namePrefix: z.string(),
});

export type BorrowedEngines = Awaited<ReturnType<typeof borrowEngines>>;

/** Returns the engines of the running service. If none runs, starts engines for this one invocation. */
export async function borrowEngines(stateDir: string, service: ServiceModel, endpoints: ExternalEndpoints) {
  const running = readEndpoints(stateDir, RunningService);
  if (running && (await isListening(running.dynamodb)) && (await isListening(running.sqs)))
    return { ...running, whose: 'of the running service', giveBack: async () => undefined } as const;
  await using starting = new AsyncDisposableStack();
  const folder = temporaryFolder('invoke');
  starting.defer(() => folder.remove());
  const namePrefix = endpoints.dynamodb || endpoints.sqs ? `invoke-${process.pid}-` : '';
  const { tables, queues } = prefixNames(service, service, namePrefix);
  const onLost = () => undefined;
  const engines = await startEngines({ stateDir: folder.path, tables, queues, endpoints, onLost });
  starting.defer(engines.stop);
  starting.defer(engines.drop);
  await seedPartners({
    dynamodbEndpoint: engines.endpoints.dynamodb,
    tableName: tables[0]?.name ?? '',
    partners: rememberPartners(folder.path, sampleSecret),
  });
  const own = starting.move();
  const giveBack = () => own.disposeAsync();
  return { whose: 'of its own', ...engines.endpoints, retrySpeed: 1, namePrefix, giveBack } as const;
}
