import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { isRecord } from '../template/resource.ts';

/** One call of an engine, as it was answered. */
export interface MeteredCall {
  /** `PutItem`, `SendMessageBatch` */
  readonly operation: string;
  /** The function that called: its environment gives it its name for a session token. */
  readonly caller: string | undefined;
  /** Units of the table. */
  readonly read: number;
  readonly write: number;
  readonly requestBytes: number;
}

export interface EngineMeter {
  /** Takes the place of the engine's endpoint. */
  readonly endpoint: string;
  stop(): Promise<void>;
}

/** The operations that say what they consumed, when asked. */
const kinds: Readonly<Record<string, 'read' | 'write'>> = {
  GetItem: 'read',
  BatchGetItem: 'read',
  Query: 'read',
  Scan: 'read',
  TransactGetItems: 'read',
  PutItem: 'write',
  UpdateItem: 'write',
  DeleteItem: 'write',
  BatchWriteItem: 'write',
  TransactWriteItems: 'write',
};

/** One table gives an object, batches and transactions a list. */
const capacityIn = (answer: unknown): number => {
  const consumed = isRecord(answer) ? answer['ConsumedCapacity'] : undefined;
  return [consumed]
    .flat()
    .reduce<number>((sum, of) => sum + (isRecord(of) ? Number(of['CapacityUnits']) : 0), 0);
};

const textOf = (value: string | string[] | undefined): string => String(value ?? '');

/** Engines look for a signature, but do not check it: it would not fit the body that asks for its price. */
const signatureHeaders = (request: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    ['authorization', 'content-type', 'x-amz-date', 'x-amz-security-token', 'x-amz-target'].flatMap((name) =>
      request.headers[name] === undefined ? [] : [[name, textOf(request.headers[name])]],
    ),
  );

const callerOf = ({ headers }: IncomingMessage): string | undefined =>
  headers['x-amz-security-token']?.toString();

const forward = async (
  engine: string,
  request: IncomingMessage,
  heard: (call: MeteredCall) => void,
): Promise<Response> => {
  const body = await buffer(request);
  const operation = textOf(request.headers['x-amz-target']).split('.').at(-1) ?? '';
  const kind = kinds[operation];
  const asked = kind
    ? JSON.stringify({ ReturnConsumedCapacity: 'TOTAL', ...JSON.parse(body.toString()) })
    : body;
  const answer = await fetch(engine, { method: 'POST', headers: signatureHeaders(request), body: asked });
  const units = kind && answer.ok ? capacityIn(await answer.clone().json()) : 0;
  heard({
    operation,
    caller: callerOf(request),
    read: kind === 'read' ? units : 0,
    write: kind === 'write' ? units : 0,
    requestBytes: body.length,
  });
  return answer;
};

/**
 * Stands in front of an engine and tells of every call, with what the table says that it consumed: the functions
 * run exactly as they were built. Refused conditional writes, which AWS bills too, name no price: 0.
 */
export const startEngineMeter = async (
  engine: string,
  heard: (call: MeteredCall) => void,
): Promise<EngineMeter> => {
  const server = createServer(async (request, response) => {
    try {
      const answer = await forward(engine, request, heard);
      const contentType = answer.headers.get('content-type') ?? 'application/x-amz-json-1.0';
      response.writeHead(answer.status, { 'content-type': contentType });
      response.end(Buffer.from(await answer.arrayBuffer()));
    } catch {
      // The engine is gone: the function must see what it would see without us, a broken connection.
      response.destroy();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
