import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type EngineProxy,
  engineHeaders,
  operationIn,
  startEngineProxy,
} from '../../../local/engines/engine-proxy.ts';
import { divide, type EngineCall, type EngineName, faultsOf, refusal } from './engine-protocol.ts';
import type { Decision, FaultPlan, WireFault } from './fault-plan.ts';

export interface FaultProxy extends EngineProxy {
  /** Resolves when the engine has finished the calls in flight, whether or not a caller still waits for them. */
  idle(): Promise<void>;
}

/** Clients of the service give a call up after 5 s. */
const lateMs = 5_500;
const slowestMs = 400;

interface Exchange {
  readonly call: EngineCall;
  readonly serverResponse: ServerResponse;
  readonly forward: (body: Buffer) => Promise<Response>;
}

const headers = { 'content-type': 'application/x-amz-json-1.0' };

/** Announces a whole response and sends half of it. */
async function sendHalf(serverResponse: ServerResponse, response: Response): Promise<void> {
  const body = Buffer.from(await response.arrayBuffer());
  serverResponse.writeHead(response.status, { ...headers, 'content-length': body.length + 2 });
  await new Promise<void>((resolve) => {
    serverResponse.write(body.subarray(0, body.length / 2), () => resolve());
  });
}

async function forwardPart({ call, forward }: Exchange, degree: number): Promise<Response> {
  const { forwarded, amend } = divide(call, degree);
  const entries = forwarded['Entries'];
  const nothingLeft = Array.isArray(entries) && entries.length === 0;
  if (nothingLeft) return Response.json(amend({}), { headers });
  const response = await forward(Buffer.from(JSON.stringify(forwarded)));
  return response.ok
    ? Response.json(amend((await response.json()) as Record<string, unknown>), { headers })
    : response;
}

/** The response that the caller gets; none: it waits until it gives up. What throws breaks the connection. */
async function inject(
  exchange: Exchange,
  { kind, degree }: Decision<WireFault>,
): Promise<Response | undefined> {
  const { call, serverResponse, forward } = exchange;
  switch (kind) {
    case 'throttled':
    case 'serverError':
    case 'transactionCancelled': {
      const { status, json } = refusal(call, kind, degree);
      return Response.json(json, { status, headers });
    }
    case 'cutBefore':
      throw new Error('cut before the call');
    case 'cutAfter':
      await sendHalf(serverResponse, await forward(call.body));
      throw new Error('cut in the middle of the response');
    case 'unanswered':
      await forward(call.body);
      return undefined;
    case 'late': {
      const response = await forward(call.body);
      await delay(lateMs, undefined, { ref: false });
      return response;
    }
    case 'slow':
      await delay(degree * slowestMs);
      return forward(call.body);
    case 'unprocessedItems':
    case 'unprocessedKeys':
    case 'failedEntries':
      return forwardPart(exchange, degree);
  }
}

/** Stands in front of an engine and lets the calls through, except those the plan has a fault for. */
export async function startFaultProxy(
  engine: EngineName,
  endpoint: string,
  plan: FaultPlan,
): Promise<FaultProxy> {
  const inFlight = new Set<Promise<unknown>>();
  const handle = async (request: IncomingMessage, serverResponse: ServerResponse) => {
    const call: EngineCall = { engine, operation: operationIn(request), body: await buffer(request) };
    const forward = (body: Buffer) =>
      fetch(endpoint, { method: 'POST', headers: engineHeaders(request), body });
    const fault = plan.next(`${engine}.${call.operation}`, faultsOf(call));
    if (!fault) return forward(call.body);
    plan.count(fault.kind);
    return inject({ call, serverResponse, forward }, fault);
  };
  const proxy = await startEngineProxy(async (request, serverResponse) => {
    const handling = handle(request, serverResponse);
    const settled = handling.catch(() => undefined).finally(() => inFlight.delete(settled));
    inFlight.add(settled);
    return (await handling) ?? new Promise<never>(() => {});
  });
  return {
    ...proxy,
    idle: async () => {
      await Promise.all(inFlight);
    },
  };
}
