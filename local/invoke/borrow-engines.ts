import { type ExternalEndpoints, startEngines } from '../engines/engines.ts';
import { seedPartners } from '../seed.ts';
import { prefixNames } from '../template/prefix-names.ts';
import type { ServiceModel } from '../template/service-model.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { findRunningService, type RunningService } from './running-service.ts';
import { samplePartners } from './sample-partners.ts';

export interface BorrowedEngines extends RunningService {
  readonly whose: 'of the running service' | 'of its own';
  giveBack(): Promise<void>;
}

/** The engines of the running service, or else ones that live as long as one invocation. */
export async function borrowEngines(
  stateDir: string,
  service: ServiceModel,
  endpoints: ExternalEndpoints,
): Promise<BorrowedEngines> {
  const running = await findRunningService(stateDir);
  if (running) return { ...running, whose: 'of the running service', giveBack: async () => undefined };
  const folder = temporaryFolder('invoke');
  const namePrefix = endpoints.dynamodb || endpoints.sqs ? `invoke-${process.pid}-` : '';
  const model = prefixNames(service, service, namePrefix);
  try {
    const engines = await startEngines({
      stateDir: folder.path,
      tables: model.tables,
      queues: model.queues,
      endpoints,
      onLost: () => undefined,
    });
    await seedPartners({
      dynamodbEndpoint: engines.dynamodbEndpoint,
      tableName: model.tables[0]?.name ?? '',
      partners: samplePartners(folder.path),
    });
    const giveBack = async () => {
      await engines.drop();
      await engines.stop();
      folder.remove();
    };
    const { dynamodbEndpoint: dynamodb, sqsEndpoint: sqs } = engines;
    return { whose: 'of its own', dynamodb, sqs, retrySpeed: 1, namePrefix, giveBack };
  } catch (error) {
    folder.remove();
    throw error;
  }
}
