import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { isRecord } from '../template/resource.ts';
import { type EngineProxy, engineHeaders, operationIn, startEngineProxy } from './engine-proxy.ts';

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
function capacityIn(response: unknown): number {
  const consumed = isRecord(response) ? response['ConsumedCapacity'] : undefined;
  return [consumed]
    .flat()
    .reduce<number>((sum, of) => sum + (isRecord(of) ? Number(of['CapacityUnits']) : 0), 0);
}

function callerOf({ headers }: IncomingMessage): string | undefined {
  return headers['x-amz-security-token']?.toString();
}

async function forward(
  engine: string,
  request: IncomingMessage,
  heard: (call: MeteredCall) => void,
): Promise<Response> {
  const body = await buffer(request);
  const operation = operationIn(request);
  const kind = kinds[operation];
  const asked = kind
    ? JSON.stringify({ ReturnConsumedCapacity: 'TOTAL', ...JSON.parse(body.toString()) })
    : body;
  const response = await fetch(engine, { method: 'POST', headers: engineHeaders(request), body: asked });
  const units = kind && response.ok ? capacityIn(await response.clone().json()) : 0;
  heard({
    operation,
    caller: callerOf(request),
    read: kind === 'read' ? units : 0,
    write: kind === 'write' ? units : 0,
    requestBytes: body.length,
  });
  return response;
}

/**
 * Stands in front of an engine and tells of every call, with what the table says that it consumed: the functions
 * run exactly as they were built. Refused conditional writes, which AWS bills too, name no price: 0.
 */
export function startEngineMeter(engine: string, heard: (call: MeteredCall) => void): Promise<EngineProxy> {
  return startEngineProxy((request) => forward(engine, request, heard));
}
