import { join } from 'node:path';
import { StartUpError } from '../start-up-error.ts';
import type { QueueModel } from '../template/queues.ts';
import type { TableModel } from '../template/tables.ts';
import { createQueues, dropQueue } from './create-queues.ts';
import { type CreatedTable, createTable, dropTable } from './create-tables.ts';
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
  /** Deletes the tables and queues. */
  drop(): Promise<void>;
  stop(): Promise<void>;
}

export interface ExternalEndpoints {
  readonly dynamodb?: string | undefined;
  readonly sqs?: string | undefined;
}

export function externalEndpoints(): ExternalEndpoints {
  return { dynamodb: process.env['DYNAMODB_ENDPOINT'], sqs: process.env['SQS_ENDPOINT'] };
}

interface EngineOptions {
  readonly stateDir: string;
  readonly tables: readonly TableModel[];
  readonly queues: readonly QueueModel[];
  /** Engines that already run somewhere are used instead of ours. */
  readonly endpoints: ExternalEndpoints;
  /** Deletes the tables and queues that earlier runs left there. */
  readonly fresh?: boolean;
  /** Called when an engine ends by itself. */
  readonly onLost: (engine: string) => void;
}

const answerDeadlineMs = 5_000;

/** An engine that somebody else runs, once it has answered. */
async function external(variable: 'DYNAMODB_ENDPOINT' | 'SQS_ENDPOINT', address: string): Promise<Engine> {
  const endpoint = address.replace(/\/$/, '');
  const [service, operation] =
    variable === 'SQS_ENDPOINT' ? (['sqs', 'ListQueues'] as const) : (['dynamodb', 'ListTables'] as const);
  try {
    await jsonCaller(endpoint, service)(operation, {}, AbortSignal.timeout(answerDeadlineMs));
  } catch (error) {
    const { message, cause } = error as Error;
    const reason = cause instanceof Error ? cause.message : message;
    throw new StartUpError(
      `${variable} is ${address}, but ${operation} gets no answer there (${reason}): start it, or unset the variable.`,
    );
  }
  return { endpoint, stop: () => Promise.resolve() };
}

async function startBoth({ stateDir, endpoints, onLost }: EngineOptions): Promise<[Engine, Engine]> {
  const started = await Promise.allSettled([
    endpoints.dynamodb
      ? external('DYNAMODB_ENDPOINT', endpoints.dynamodb)
      : startDynoxide(join(stateDir, 'dynamodb'), () => onLost('DynamoDB')),
    endpoints.sqs
      ? external('SQS_ENDPOINT', endpoints.sqs)
      : startFauxqs(join(stateDir, 'sqs'), () => onLost('SQS')),
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
    const drop = async (): Promise<void> => {
      await Promise.all([
        ...options.tables.map((table) => dropTable(dynamodb, table)),
        ...options.queues.map((queue) => dropQueue(sqs, sqsEngine.endpoint, queue)),
      ]);
    };
    if (options.fresh) await drop();
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
      drop,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
