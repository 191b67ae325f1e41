import type { FunctionPool } from '../functions/function-pool.ts';
import { account, arn } from '../template/account.ts';
import type { AuthorizerModel } from '../template/api.ts';
import { apiId } from '../template/physical-names.ts';
import { isRecord } from '../template/resource.ts';
import type { GatewayRequest } from './request-event.ts';

export type Verdict =
  | { readonly kind: 'allowed'; readonly context: Readonly<Record<string, unknown>> }
  /** An identity source is missing: the function is not asked. */
  | { readonly kind: 'unauthenticated' }
  | { readonly kind: 'forbidden' }
  /** The authorizer failed or gave no answer of the agreed form. */
  | { readonly kind: 'broken' };

export type Authorize = (authorizer: AuthorizerModel, request: GatewayRequest) => Promise<Verdict>;

function contextValue(request: GatewayRequest, path: string): string | undefined {
  let value: unknown = request.requestContext;
  for (const name of path.split('.')) value = isRecord(value) ? value[name] : undefined;
  return value === undefined ? undefined : String(value);
}

function identityOf(source: string, request: GatewayRequest): string | undefined {
  const [, kind, name = ''] =
    /^\$(request\.header|request\.querystring|context|stageVariables)\.(.+)$/.exec(source) ?? [];
  switch (kind) {
    case 'request.header':
      return request.headers[name.toLowerCase()];
    case 'request.querystring':
      return request.queryStringParameters?.[name];
    case 'context':
      return contextValue(request, name);
    default:
      return request.stageVariables?.[name];
  }
}

function authorizerEvent(request: GatewayRequest, identitySource: readonly string[]) {
  const { method, path } = request.requestContext.http;
  return {
    ...request,
    type: 'REQUEST',
    routeArn: arn('execute-api', `${apiId}/${request.requestContext.stage}/${method}${path}`),
    identitySource,
  };
}

function verdictOf(payload: string): Verdict {
  const response: unknown = JSON.parse(payload);
  if (!isRecord(response) || typeof response['isAuthorized'] !== 'boolean') return { kind: 'broken' };
  if (!response['isAuthorized']) return { kind: 'forbidden' };
  return { kind: 'allowed', context: isRecord(response['context']) ? response['context'] : {} };
}

/** Asks Lambda authorizers (simple responses) and remembers what they said for as long as the template allows. */
export function createAuthorize(
  poolOf: (functionName: string) => FunctionPool,
  now: () => number,
): Authorize {
  const cache = new Map<string, { readonly verdict: Verdict; readonly untilMs: number }>();

  const remember = (key: string, verdict: Verdict, cacheSeconds: number): void => {
    if (cache.size >= 10_000) cache.clear();
    cache.set(key, { verdict, untilMs: now() + cacheSeconds * 1000 });
  };

  return async (authorizer, request) => {
    const identity = authorizer.identitySources.map((source) => identityOf(source, request));
    if (identity.some((value) => value === undefined || value === '')) return { kind: 'unauthenticated' };
    // The key has no route in it: a verdict counts for every route of the authorizer.
    const key = JSON.stringify([authorizer.id, identity]);
    const known = cache.get(key);
    if (known && known.untilMs > now()) return known.verdict;

    const event = authorizerEvent(request, identity as string[]);
    const response = await poolOf(authorizer.functionName)
      .invoke(event, { whenBusy: 'refuse' })
      .catch(() => undefined);
    const verdict = response ? verdictOf(response.payload) : { kind: 'broken' as const };
    if (verdict.kind !== 'broken' && authorizer.cacheSeconds > 0)
      remember(key, verdict, authorizer.cacheSeconds);
    return verdict;
  };
}

/** What a function sees of a caller whom IAM has let through. Nothing is signed or checked here. */
export const localIamCaller = {
  accessKey: 'local',
  accountId: account.id,
  callerId: 'local',
  cognitoIdentity: null,
  principalOrgId: 'local',
  userArn: `arn:${account.partition}:iam::${account.id}:user/local`,
  userId: 'local',
} as const;
