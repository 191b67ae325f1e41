import { FunctionError, RefusedInvocationError } from '../functions/function-error.ts';
import type { PoolOf } from '../functions/function-pool.ts';
import type { RouteModel } from '../template/service-model.ts';
import { authorizer, localIamCaller } from './authorizer.ts';
import { type GatewayResponse, mapResponse, ownResponse } from './gateway-response.ts';
import { eventBody, type GatewayRequest } from './request-event.ts';

export type InvokerParts = {
  poolOf: PoolOf;
  now: () => number;
};

async function invokeRoute(pool: ReturnType<PoolOf>, event: object): Promise<GatewayResponse> {
  try {
    const { payload } = await pool.invoke(event, { whenBusy: 'throttle' });
    return mapResponse(payload) ?? ownResponse(500);
  } catch (error) {
    if (error instanceof RefusedInvocationError) return ownResponse(error.gatewayStatus);
    if (error instanceof FunctionError) return ownResponse(500);
    throw error;
  }
}

/** Authorizes a request whose route is known, and invokes the function. */
export function routeInvoker({ poolOf, now }: InvokerParts) {
  const authorize = authorizer(poolOf, now);

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
