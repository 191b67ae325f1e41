import type { IncomingMessage } from 'node:http';
import { EventTooLargeError, FunctionError, ThrottledError } from '../functions/function-error.ts';
import type { FunctionPool } from '../functions/function-pool.ts';
import type { ApiModel, RouteModel } from '../template/service-model.ts';
import { createAuthorize, localIamCaller } from './authorizer.ts';
import { type GatewayResponse, mapResponse, ownResponse } from './gateway-response.ts';
import { readBody } from './read-body.ts';
import { eventBody, type GatewayRequest, gatewayRequest, splitTarget } from './request-event.ts';
import { createRouteTable } from './route-table.ts';

export interface ServeParts {
  readonly api: ApiModel;
  readonly poolOf: (functionName: string) => Pick<FunctionPool, 'invoke'>;
  readonly now: () => number;
}

export type Serve = ReturnType<typeof createServe>;

function responseFor(error: unknown): GatewayResponse {
  if (error instanceof EventTooLargeError) return ownResponse(413);
  if (error instanceof ThrottledError) return ownResponse(503);
  if (error instanceof FunctionError) return ownResponse(500);
  throw error;
}

async function invokeRoute(pool: Pick<FunctionPool, 'invoke'>, event: object): Promise<GatewayResponse> {
  try {
    const { payload } = await pool.invoke(event, { whenBusy: 'throttle' });
    return mapResponse(payload) ?? ownResponse(500);
  } catch (error) {
    return responseFor(error);
  }
}

/** Authorizes a request whose route is known, and invokes the function. */
export function createRouteInvoker({ poolOf, now }: Omit<ServeParts, 'api'>) {
  const authorize = createAuthorize(poolOf, now);

  /** Returns what the event says about the caller, or the response that refuses the caller. */
  const callerOf = async ({ authorizer }: RouteModel, request: GatewayRequest) => {
    if (authorizer === 'none') return {};
    if (authorizer === 'iam') return { authorizer: { iam: localIamCaller } };
    const verdict = await authorize(authorizer, request);
    return typeof verdict === 'number' ? ownResponse(verdict) : { authorizer: { lambda: verdict.context } };
  };

  return async (route: RouteModel, request: GatewayRequest, body: Buffer): Promise<GatewayResponse> => {
    const caller = await callerOf(route, request);
    if ('status' in caller) return caller;
    const requestContext = { ...request.requestContext, ...caller };
    const event = { ...request, requestContext, ...eventBody(body, request.headers) };
    return invokeRoute(poolOf(route.functionName), event);
  };
}

/** Routes, authorizes and invokes, as the gateway does. Resolves to `undefined` if the client has disconnected. */
export function createServe({ api, ...parts }: ServeParts) {
  const findRoute = createRouteTable(api.routes);
  const invoke = createRouteInvoker(parts);

  return async (request: IncomingMessage) => {
    const match = findRoute(request.method ?? 'GET', splitTarget(request.url ?? '/')[0]);
    const body = await readBody(request);
    if (body === 'gone') return undefined;
    if (!match) return { response: ownResponse(404), requestId: 'local' };
    if (body === 'too-large') return { response: ownResponse(413), requestId: 'local' };
    const event = gatewayRequest(request, match, parts.now());
    const response = await invoke(match.route, event, body);
    return { response, requestId: event.requestContext.requestId, route: match.route.key };
  };
}
