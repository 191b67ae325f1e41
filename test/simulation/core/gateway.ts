import { gatewayRequest, splitTarget } from '../../../local/http/request-event.ts';
import { routeTable } from '../../../local/http/route-table.ts';
import { routeInvoker } from '../../../local/http/serve-request.ts';
import type { ApiModel } from '../../../local/template/service-model.ts';
import { ownLatencies } from './calls.ts';
import type { Account, Pool } from './functions.ts';
import type { RunParts } from './run-parts.ts';

export type ApiResponse = {
  status: number;
  body: unknown;
  isReplay?: boolean;
  /** The header that names the failure, also where the body is empty. */
  error?: string | undefined;
  /** The instance of a function that served the request. */
  servedBy?: string | undefined;
};

/** A request as a client makes it, with a route such as `POST /places/sync`. */
type ApiRequest = {
  route: string;
  headers: Record<string, string>;
  body: unknown;
};

type Parts = RunParts & {
  api: ApiModel;
  poolOf: (functionName: string) => Pool;
  account: Account;
};

const timeoutMs = 30_000;

/** Simulates the HTTP API: it routes, authorizes and invokes as the template says. No load comes near its throttle. */
export function createGateway({ api, time, rng, faults, log, poolOf, account }: Parts) {
  const findRoute = routeTable(api.routes);
  const invoke = routeInvoker({ poolOf, now: time.now });
  let requests = 0;

  const serve = async ({ route, headers, body }: ApiRequest, requestId: string): Promise<ApiResponse> => {
    const [method = '', url = ''] = route.split(' ');
    const match = findRoute(method, splitTarget(url)[0]);
    if (!match) throw new Error(`the templates have no route for ${route}`);
    const given = Object.entries({ 'content-type': 'application/json', ...headers });
    const headersDistinct = Object.fromEntries(given.map(([name, value]) => [name, [value]]));
    const received = { method, url, headers: {}, headersDistinct, socket: {} } as never;
    const event = gatewayRequest(received, match, time.now());
    event.requestContext.requestId = requestId;
    const isBytes = body instanceof Uint8Array;
    const sent = Buffer.from(isBytes ? body : body === undefined ? '' : JSON.stringify(body));
    const response = await invoke(match.route, event, sent);
    const text = response.body.toString();
    const isJson = String(response.headers['content-type']).includes('json');
    const isReplay = 'idempotent-replayed' in response.headers;
    const error = response.headers['x-error'];
    const servedBy = account.servedBy.get(requestId);
    account.servedBy.delete(requestId);
    return {
      status: response.status,
      body: isJson ? JSON.parse(text) : text || {},
      isReplay,
      error,
      servedBy,
    };
  };

  /** Returns `undefined` if the connection broke. */
  return async (request: ApiRequest): Promise<ApiResponse | undefined> => {
    requests += 1;
    const requestId = `request-${requests}`;
    const tell = (what: string) => log.add(`${requestId} ${request.route}${what}`);
    if (faults.happens('requestLost')) {
      tell(': lost on the way');
      return undefined;
    }
    const isLost = faults.happens('responseLost');
    const late = time.sleep(timeoutMs).then(() => ({ status: 503, body: {} }));
    const served = time.sleep((ownLatencies.getStore() ?? rng).between(1, 30)).then(() => {
      tell('');
      return serve(request, requestId);
    });
    const response = await Promise.race([served, late]);
    tell(`: ${response.status}${isLost ? ', and lost' : ''}`);
    return isLost ? undefined : response;
  };
}

export type Send = ReturnType<typeof createGateway>;
