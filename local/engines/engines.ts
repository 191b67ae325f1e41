import { join } from 'node:path';
import { failure } from '../../ops/cli/command-line.ts';
import type { QueueModel, TableModel } from '../template/service-model.ts';
import { createQueues, dropQueue } from './create-queues.ts';
import { createTable, dropTable } from './create-tables.ts';
import { type Engine, startDynoxide } from './dynoxide.ts';
import { startFauxqs } from './fauxqs.ts';
import { jsonCaller } from './json-call.ts';

export type Engines = Awaited<ReturnType<typeof startEngines>>;

export function externalEndpoints() {
  return { dynamodb: process.env['DYNAMODB_ENDPOINT'], sqs: process.env['SQS_ENDPOINT'] };
}

export type ExternalEndpoints = Partial<ReturnType<typeof externalEndpoints>>;

type EngineOptions = {
  stateDir: string;
  tables: readonly TableModel[];
  queues: readonly QueueModel[];
  /** Addresses of engines that already run elsewhere. They are used instead of our own. */
  endpoints: ExternalEndpoints;
  fresh?: boolean;
  onLost: (engine: string) => void;
};

const responseDeadlineMs = 5_000;

/** Waits for the response of an engine that runs elsewhere. */
async function external(variable: 'DYNAMODB_ENDPOINT' | 'SQS_ENDPOINT', address: string): Promise<Engine> {
  const endpoint = address.replace(/\/$/, '');
  const [service, operation] =
    variable === 'SQS_ENDPOINT' ? (['sqs', 'ListQueues'] as const) : (['dynamodb', 'ListTables'] as const);
  try {
    await jsonCaller(endpoint, service)(operation, {}, AbortSignal.timeout(responseDeadlineMs));
  } catch (error) {
    const { message, cause } = error as Error;
    const reason = cause instanceof Error ? cause.message : message;
    throw failure(
      `${variable} is ${address}, but ${operation} gets no response there (${reason}): start that engine, or unset the variable.`,
    );
  }
  return { endpoint, stop: () => Promise.resolve() };
}

/** Starts the engines for DynamoDB and SQS, and creates the tables and queues that are missing there. */
export async function startEngines(options: EngineOptions) {
  const { stateDir, endpoints: given, onLost, tables, queues } = options;
  await using starting = new AsyncDisposableStack();
  const both = [
    given.dynamodb
      ? external('DYNAMODB_ENDPOINT', given.dynamodb)
      : startDynoxide(join(stateDir, 'dynamodb'), () => onLost('DynamoDB')),
    given.sqs ? external('SQS_ENDPOINT', given.sqs) : startFauxqs(join(stateDir, 'sqs'), () => onLost('SQS')),
  ] as const;
  // Wait for both: if one does not start, the other must have started to be stopped.
  for (const result of await Promise.allSettled(both)) {
    if (result.status === 'fulfilled') starting.defer(() => result.value.stop());
  }
  const [{ endpoint: dynamodbEndpoint }, { endpoint: sqsEndpoint }] = await Promise.all(both);
  const dynamodb = jsonCaller(dynamodbEndpoint, 'dynamodb');
  const sqs = jsonCaller(sqsEndpoint, 'sqs');
  const drop = async (): Promise<void> => {
    await Promise.all([
      ...tables.map((table) => dropTable(dynamodb, table)),
      ...queues.map((queue) => dropQueue(sqs, sqsEndpoint, queue)),
    ]);
  };
  if (options.fresh) await drop();
  const [created] = await Promise.all([
    Promise.all(tables.map((table) => createTable(dynamodb, table))),
    createQueues(sqs, sqsEndpoint, queues),
  ]);
  const running = starting.move();
  return {
    endpoints: { dynamodb: dynamodbEndpoint, sqs: sqsEndpoint },
    dynamodb,
    streams: jsonCaller(dynamodbEndpoint, 'streams'),
    sqs,
    tables: created,
    drop,
    stop: () => running.disposeAsync(),
  };
}
