import { join } from 'node:path';
import type { QueueModel } from '../template/queues.ts';
import type { TableModel } from '../template/tables.ts';
import { createQueues } from './create-queues.ts';
import { type CreatedTable, createTable } from './create-tables.ts';
import { type Engine, startDynoxide } from './dynoxide.ts';
import { startFauxqs } from './fauxqs.ts';
import { type Call, jsonCaller } from './json-call.ts';

export interface Engines {
  readonly dynamodbEndpoint: string;
  readonly sqsEndpoint: string;
  readonly dynamodb: Call;
  readonly streams: Call;
  readonly sqs: Call;
  readonly tables: readonly CreatedTable[];
  stop(): Promise<void>;
}

interface EngineOptions {
  readonly stateDir: string;
  readonly tables: readonly TableModel[];
  readonly queues: readonly QueueModel[];
  /** Engines that already run somewhere are used instead of ours. */
  readonly endpoints: { readonly dynamodb?: string | undefined; readonly sqs?: string | undefined };
  /** Called when an engine ends by itself. */
  readonly onLost: (engine: string) => void;
}

function external(endpoint: string): Engine {
  return {
    endpoint: endpoint.replace(/\/$/, ''),
    stop: () => Promise.resolve(),
  };
}

async function startBoth({ stateDir, endpoints, onLost }: EngineOptions): Promise<[Engine, Engine]> {
  const started = await Promise.allSettled([
    endpoints.dynamodb
      ? external(endpoints.dynamodb)
      : startDynoxide(join(stateDir, 'dynamodb'), () => onLost('DynamoDB')),
    endpoints.sqs ? external(endpoints.sqs) : startFauxqs(join(stateDir, 'sqs'), () => onLost('SQS')),
  ]);
  const [dynamodb, sqs] = started;
  if (dynamodb?.status === 'fulfilled' && sqs?.status === 'fulfilled') return [dynamodb.value, sqs.value];
  for (const result of started) if (result.status === 'fulfilled') await result.value.stop();
  throw started.find((result) => result.status === 'rejected')?.reason;
}

/** Starts the engines for DynamoDB and SQS, and creates the tables and queues that are missing there. */
export async function startEngines(options: EngineOptions): Promise<Engines> {
  const [dynamodbEngine, sqsEngine] = await startBoth(options);
  const stop = async (): Promise<void> => {
    await Promise.all([dynamodbEngine.stop(), sqsEngine.stop()]);
  };
  try {
    const dynamodb = jsonCaller(dynamodbEngine.endpoint, 'dynamodb');
    const sqs = jsonCaller(sqsEngine.endpoint, 'sqs');
    const [tables] = await Promise.all([
      Promise.all(options.tables.map((table) => createTable(dynamodb, table))),
      createQueues(sqs, sqsEngine.endpoint, options.queues),
    ]);
    return {
      dynamodbEndpoint: dynamodbEngine.endpoint,
      sqsEndpoint: sqsEngine.endpoint,
      dynamodb,
      streams: jsonCaller(dynamodbEngine.endpoint, 'streams'),
      sqs,
      tables,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
