import { gatewayRequest, splitTarget } from '../../../local/http/request-event.ts';
import { createRouteTable } from '../../../local/http/route-table.ts';
import { createRouteInvoker } from '../../../local/http/serve-request.ts';
import type { ApiModel } from '../../../local/template/service-model.ts';
import type { Pool } from './functions.ts';
import type { RunParts } from './run-parts.ts';

export type ApiResponse = { readonly status: number; readonly body: unknown; readonly isReplay?: boolean };

/** A request as a client makes it, with a route such as `POST /places/sync`. */
type ApiRequest = {
  readonly route: string;
  readonly headers: Record<string, string>;
  readonly body: unknown;
};

type Parts = RunParts & { readonly api: ApiModel; readonly poolOf: (functionName: string) => Pool };

const timeoutMs = 30_000;

/** Simulates the HTTP API: it routes, authorizes and invokes as the template says. */
export function createGateway({ api, time, rng, faults, log, poolOf }: Parts) {
  const findRoute = createRouteTable(api.routes);
  const invoke = createRouteInvoker({ poolOf, now: time.now });
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
    const isReplay = 'idempotent-replayed' in response.headers;
    return { status: response.status, body: text === '' ? {} : JSON.parse(text), isReplay };
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
    const served = time.sleep(rng.between(1, 30)).then(() => {
      tell('');
      return serve(request, requestId);
    });
    const response = await Promise.race([served, late]);
    tell(`: ${response.status}${isLost ? ', and lost' : ''}`);
    return isLost ? undefined : response;
  };
}

export type Send = ReturnType<typeof createGateway>;
