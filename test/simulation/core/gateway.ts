import type { FunctionPool } from '../../../local/functions/function-pool.ts';
import { createAuthorize, localIamCaller } from '../../../local/http/authorizer.ts';
import { mapResponse } from '../../../local/http/gateway-response.ts';
import type { GatewayRequest } from '../../../local/http/request-event.ts';
import { createRouteTable } from '../../../local/http/route-table.ts';
import type { ApiModel } from '../../../local/template/api.ts';
import type { RunParts } from './run-parts.ts';

interface ApiRequest {
  /** `POST /places/sync` */
  readonly route: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface ApiResponse {
  readonly status: number;
  readonly body: unknown;
}

/** What a client gets; nothing when its connection broke. */
export type Send = (request: ApiRequest) => Promise<ApiResponse | undefined>;

interface Parts extends RunParts {
  readonly api: ApiModel;
  readonly poolOf: (functionName: string) => FunctionPool;
}

const gatewayTimeoutMs = 30_000;

/** The HTTP API: routes, authorizes and invokes, as the template says. */
export function createGateway({ api, time, rng, faults, log, poolOf }: Parts): Send {
  const findRoute = createRouteTable(api.routes);
  const authorize = createAuthorize(poolOf, time.now);
  let requests = 0;

  const serve = async (
    { route, headers = {}, body }: ApiRequest,
    requestId: string,
  ): Promise<ApiResponse> => {
    const [method = '', target = ''] = route.split(' ');
    const [path = '', query = ''] = target.split('?');
    const match = findRoute(method, path);
    if (!match) throw new Error(`the templates have no route for ${route}`);
    const event = {
      version: '2.0',
      routeKey: match.route.key,
      rawPath: path,
      rawQueryString: query,
      headers: { 'content-type': 'application/json', ...headers },
      queryStringParameters: Object.fromEntries(new URLSearchParams(query)),
      pathParameters: Object.fromEntries(
        Object.entries(match.pathParameters).map(([name, value]) => [name, decodeURIComponent(value)]),
      ),
      requestContext: {
        requestId,
        http: { method, path, sourceIp: '127.0.0.1' },
        stage: '$default',
        timeEpoch: time.now(),
      },
    } as unknown as GatewayRequest;
    const { authorizer } = match.route;
    let caller: object = { authorizer: { iam: localIamCaller } };
    if (authorizer) {
      const verdict = await authorize(authorizer, event);
      if (verdict.kind !== 'allowed')
        return { status: { unauthenticated: 401, forbidden: 403, broken: 500 }[verdict.kind], body: {} };
      caller = { authorizer: { lambda: verdict.context } };
    }
    const requestContext = { ...event.requestContext, ...caller };
    const text = body === undefined ? {} : { body: JSON.stringify(body), isBase64Encoded: false };
    try {
      const pool = poolOf(match.route.functionName);
      const { payload } = await pool.invoke({ ...event, requestContext, ...text }, { whenBusy: 'throttle' });
      const response = mapResponse(payload);
      if (!response) return { status: 500, body: {} };
      const given = response.body.toString();
      return { status: response.status, body: given === '' ? {} : JSON.parse(given) };
    } catch {
      return { status: 500, body: {} };
    }
  };

  return (request) => {
    requests += 1;
    const requestId = `request-${requests}`;
    if (faults.happens('requestLost')) {
      log.add(`${requestId} ${request.route}: lost on the way`);
      return Promise.resolve(undefined);
    }
    const isLost = faults.happens('responseLost');
    return new Promise((resolve) => {
      const late = time.after(gatewayTimeoutMs, () => answer({ status: 503, body: {} }));
      const answer = (response: ApiResponse): void => {
        late.cancel();
        log.add(`${requestId} ${request.route}: ${response.status}${isLost ? ', and lost' : ''}`);
        resolve(isLost ? undefined : response);
      };
      time.after(rng.between(1, 30), () => {
        log.add(`${requestId} ${request.route}`);
        serve(request, requestId).then(answer);
      });
    });
  };
}
