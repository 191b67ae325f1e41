import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { isRecord } from '../template/resource.ts';

export interface Units {
  readonly read: number;
  readonly write: number;
  /** Calls of the table, with those that consumed nothing or were refused. */
  readonly calls: number;
}

export interface UnitCounter {
  /** Takes the place of the table's endpoint. */
  readonly endpoint: string;
  counted(): Units;
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

/**
 * Stands in front of a DynamoDB engine and adds up what the table says each call consumed, so that the function
 * runs exactly as it was built. Refused conditional writes, which AWS bills too, name no price and are left out.
 */
export const startUnitCounter = async (engine: string): Promise<UnitCounter> => {
  let units: Units = { read: 0, write: 0, calls: 0 };

  const forward = async (request: IncomingMessage): Promise<Response> => {
    const body = await buffer(request);
    const operation = textOf(request.headers['x-amz-target']).split('.').at(-1) ?? '';
    const kind = kinds[operation];
    const asked = kind
      ? JSON.stringify({ ReturnConsumedCapacity: 'TOTAL', ...JSON.parse(body.toString()) })
      : body;
    const answer = await fetch(engine, { method: 'POST', headers: signatureHeaders(request), body: asked });
    units = { ...units, calls: units.calls + 1 };
    if (kind && answer.ok)
      units = { ...units, [kind]: units[kind] + capacityIn(await answer.clone().json()) };
    return answer;
  };

  const server = createServer(async (request, response) => {
    try {
      const answer = await forward(request);
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
    counted: () => units,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
