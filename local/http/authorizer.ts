import type { PoolOf } from '../functions/function-pool.ts';
import { account, apiId, arn } from '../template/account.ts';
import { isRecord } from '../template/is-record.ts';
import type { RouteModel } from '../template/service-model.ts';
import type { GatewayRequest } from './request-event.ts';

type Authorizer = Exclude<RouteModel['authorizer'], string>;

/** The context of a caller that functions see, or the status of the response that refuses the caller. */
type Verdict = { context: Readonly<Record<string, unknown>> } | 401 | 403 | 500;

function authorizerEvent(request: GatewayRequest, identitySource: readonly string[]) {
  const { method, path } = request.requestContext.http;
  return {
    ...request,
    type: 'REQUEST',
    routeArn: arn('execute-api', `${apiId}/${request.requestContext.stage}/${method}${path}`),
    identitySource,
  };
}

function parseVerdict(payload: string): Verdict {
  const response: unknown = JSON.parse(payload);
  if (!isRecord(response) || typeof response['isAuthorized'] !== 'boolean') return 500;
  if (!response['isAuthorized']) return 403;
  return { context: isRecord(response['context']) ? response['context'] : {} };
}

const maxCached = 10_000;

/** Invokes Lambda authorizers (simple responses) and caches their verdicts for as long as the template allows. */
export function authorizer(poolOf: PoolOf, now: () => number) {
  const cache = new Map<string, { verdict: Verdict; untilMs: number }>();

  return async (authorizer: Authorizer, request: GatewayRequest): Promise<Verdict> => {
    const { id, identityHeaders, functionName, cacheSeconds } = authorizer;
    const identity = identityHeaders.map((name) => request.headers[name] ?? '');
    // Without a value for each identity header the gateway responds 401 and does not invoke the function.
    if (identity.includes('')) return 401;
    // A verdict is valid for every route of the authorizer, so the key has no route.
    const key = JSON.stringify([id, identity]);
    const cached = cache.get(key);
    if (cached && cached.untilMs > now()) return cached.verdict;

    const response = await poolOf(functionName)
      .invoke(authorizerEvent(request, identity), { whenBusy: 'throttle' })
      .catch(() => undefined);
    if (!response) return 500;
    const verdict = parseVerdict(response.payload);
    // Clear the cache before a caller that tries many secrets fills the memory.
    if (cache.size >= maxCached) cache.clear();
    if (verdict !== 500) cache.set(key, { verdict, untilMs: now() + cacheSeconds * 1000 });
    return verdict;
  };
}

/** The caller that a function sees on a route with IAM. The local gateway checks no signature. */
export const localIamCaller = {
  accessKey: 'local',
  accountId: account.id,
  callerId: 'local',
  cognitoIdentity: null,
  principalOrgId: 'local',
  userArn: `arn:${account.partition}:iam::${account.id}:user/local`,
  userId: 'local',
} as const;
