import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { readBody } from '../../../local/http/read-body.ts';
import {
  divide,
  type EngineCall,
  type EngineName,
  faultsOf,
  operationOf,
  refusal,
} from './engine-protocol.ts';
import type { Decision, FaultPlan, WireFault } from './fault-plan.ts';

export interface FaultProxy {
  readonly endpoint: string;
  /** Resolves when the engine has done what is under way now, whether or not anybody still waits for it. */
  calmed(): Promise<void>;
  stop(): Promise<void>;
}

interface Upstream {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

/** Clients of the service give a call up after 5 s. */
const lateMs = 5_500;
const slowestMs = 400;

interface Exchange {
  readonly call: EngineCall;
  readonly incoming: IncomingMessage;
  readonly serverResponse: ServerResponse;
  readonly forward: (body: Buffer) => Promise<Upstream>;
}

/** Sends a call on to the engine and gathers the whole answer. */
function forwarder(endpoint: string, agent: Agent, incoming: IncomingMessage) {
  return async (body: Buffer) => {
    const { 'content-length': _length, 'transfer-encoding': _encoding, ...headers } = incoming.headers;
    const outgoing = request(`${endpoint}${incoming.url}`, {
      agent,
      method: incoming.method ?? 'POST',
      headers: { ...headers, 'content-length': String(body.length) },
    });
    outgoing.end(body);
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    const contentType = response.headers['content-type'];
    return {
      status: response.statusCode ?? 502,
      headers: contentType === undefined ? {} : { 'content-type': contentType },
      body: Buffer.concat(chunks),
    };
  };
}

function respond(serverResponse: ServerResponse, { status, headers, body }: Upstream): void {
  serverResponse.writeHead(status, { ...headers, 'content-length': body.length }).end(body);
}

/** Promises a whole answer, gives half of it, and hangs up. */
async function cutInTheMiddle(serverResponse: ServerResponse, response: Upstream): Promise<void> {
  serverResponse.writeHead(response.status, {
    ...response.headers,
    'content-length': response.body.length + 2,
  });
  await new Promise<void>((resolve) => {
    serverResponse.write(response.body.subarray(0, response.body.length / 2), () => resolve());
  });
  serverResponse.destroy();
}

async function takePart({ call, forward, serverResponse }: Exchange, degree: number): Promise<void> {
  const { forwarded, amend } = divide(call, degree);
  const entries = forwarded['Entries'];
  const nothingLeft = Array.isArray(entries) && entries.length === 0;
  const response = nothingLeft
    ? { status: 200, headers: { 'content-type': 'application/x-amz-json-1.0' }, body: Buffer.from('{}') }
    : await forward(Buffer.from(JSON.stringify(forwarded)));
  // An error of the engine's own is passed on as it is.
  if (response.status !== 200) return respond(serverResponse, response);
  const amended = amend(JSON.parse(response.body.toString() || '{}'));
  respond(serverResponse, { ...response, body: Buffer.from(JSON.stringify(amended)) });
}

async function carryOut(exchange: Exchange, { kind, degree }: Decision<WireFault>): Promise<void> {
  const { call, serverResponse, incoming, forward } = exchange;
  switch (kind) {
    case 'throttled':
    case 'serverError':
    case 'transactionCancelled': {
      const { status, json } = refusal(call, kind, degree);
      const headers = { 'content-type': 'application/x-amz-json-1.0' };
      return respond(serverResponse, { status, headers, body: Buffer.from(JSON.stringify(json)) });
    }
    case 'cutBefore':
      incoming.socket.destroy();
      return;
    case 'cutAfter':
      return cutInTheMiddle(serverResponse, await forward(call.body));
    case 'unanswered':
      await forward(call.body);
      return;
    case 'late': {
      const response = await forward(call.body);
      await delay(lateMs, undefined, { ref: false });
      if (!serverResponse.destroyed) respond(serverResponse, response);
      return;
    }
    case 'slow':
      await delay(degree * slowestMs);
      return respond(serverResponse, await forward(call.body));
    case 'unprocessedItems':
    case 'unprocessedKeys':
    case 'failedEntries':
      return takePart(exchange, degree);
  }
}

/** Stands in front of an engine and lets the calls through, but for those the plan has a fault for. */
export async function startFaultProxy(
  engine: EngineName,
  endpoint: string,
  plan: FaultPlan,
): Promise<FaultProxy> {
  const agent = new Agent({ keepAlive: true });
  const underWay = new Set<Promise<void>>();
  const handle = async (incoming: IncomingMessage, serverResponse: ServerResponse): Promise<void> => {
    const body = await readBody(incoming);
    if (!(body instanceof Buffer)) return void serverResponse.destroy();
    const operation = operationOf(incoming.headers['x-amz-target']?.toString());
    const call: EngineCall = { engine, operation, body };
    const forward = forwarder(endpoint, agent, incoming);
    const fault = operation === '' ? undefined : plan.next(`${engine}.${operation}`, faultsOf(call));
    if (!fault) return respond(serverResponse, await forward(body));
    plan.count(fault.kind);
    await carryOut({ call, incoming, serverResponse, forward }, fault);
  };
  const server = createServer({ keepAliveTimeout: 60_000 }, (incoming, serverResponse) => {
    serverResponse.on('error', () => undefined);
    // Without an engine behind it, a proxy hangs up.
    const handling = handle(incoming, serverResponse).catch(() => void serverResponse.destroy());
    underWay.add(handling);
    handling.finally(() => underWay.delete(handling));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calmed: async () => {
      await Promise.all(underWay);
    },
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
      agent.destroy();
    },
  };
}
