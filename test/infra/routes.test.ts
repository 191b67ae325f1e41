import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Template } from 'aws-cdk-lib/assertions';
import { expect, it } from 'vitest';
import { stages } from '../../infra/config.ts';
import { authorizerCacheSeconds } from '../../shared/partners/key.ts';
import { statementsOf } from './permissions.ts';
import { appOf, functionBehind, templatesOf } from './synthesize.ts';

const { service } = templatesOf('prod');
// The sandbox has every route, while prod lacks those of the simulated wallet platform.
const { all } = templatesOf('sandbox');
const allRoutes = Object.values(all.findResources('AWS::ApiGatewayV2::Route')).map(
  ({ Properties }) => Properties,
);
const [open = [], routes = []] = [true, false].map((isOpen) =>
  allRoutes.filter(({ Target }) => (functionOf(Target) === 'ServeConsole') === isOpen),
);

/** Returns the function behind a route, found by its integration as in the gateway. */
function functionOf(target: unknown): string {
  const integrationId = /"Ref":"([^"]+)"/.exec(JSON.stringify(target))?.[1] ?? '';
  const integration = all.findResources('AWS::ApiGatewayV2::Integration')[integrationId];
  return functionBehind(integration?.['Properties'].IntegrationUri);
}

const routed = routes.map(({ RouteKey, Target, AuthorizationType }) => ({
  id: functionOf(Target),
  route: RouteKey,
  authorization:
    { CUSTOM: 'basic', AWS_IAM: 'iam', NONE: 'none' }[AuthorizationType as string] ?? AuthorizationType,
}));

type Declared = {
  id: string;
  route: string;
  caller: { authorization: string };
  aliases?: string[];
};

function isDeclared(value: unknown): value is Declared {
  return (
    typeof value === 'object' && value !== null && 'id' in value && 'route' in value && 'caller' in value
  );
}

async function declaredOperations() {
  const files = globSync('functions/*/*.ts');
  const modules = await Promise.all(files.map((file) => import(resolve(file))));
  return modules
    .flatMap((exports) => Object.values(exports))
    .filter(isDeclared)
    .flatMap(({ id, route, caller, aliases = [] }) =>
      [route, ...aliases].map((path) => ({ id, route: path, authorization: caller.authorization })),
    );
}

function byId(a: { id: string; route: string }, b: { id: string; route: string }) {
  return `${a.id}${a.route}`.localeCompare(`${b.id}${b.route}`);
}

it('every operation has its route, for its caller', async () => {
  expect(routed.sort(byId)).toEqual((await declaredOperations()).sort(byId));
});

it('beside receivers only the console and the OpenAPI document are open, and what serves them has no right to data', () => {
  expect(open.map(({ RouteKey, AuthorizationType }) => [RouteKey, AuthorizationType]).sort()).toEqual([
    ['$default', 'NONE'],
    ['GET /', 'NONE'],
    ['GET /console', 'NONE'],
    ['GET /console/{proxy+}', 'NONE'],
    ['GET /openapi.json', 'NONE'],
    ['HEAD /', 'NONE'],
    ['HEAD /console', 'NONE'],
    ['HEAD /console/{proxy+}', 'NONE'],
    ['HEAD /openapi.json', 'NONE'],
  ]);
  expect(JSON.stringify(statementsOf(all, 'ServeConsole'))).not.toMatch(/dynamodb|sqs|secretsmanager/);
});

it('wallet routes are authorized by IAM, receivers check signatures, all others have the partner authorizer', () => {
  for (const { RouteKey, AuthorizationType, AuthorizerId } of routes) {
    const isWallet = RouteKey.split(' ')[1].startsWith('/wallet/');
    const isReceiver = RouteKey === 'POST /sandbox/callbacks/{token}';
    expect(AuthorizationType, RouteKey).toBe(isWallet ? 'AWS_IAM' : isReceiver ? 'NONE' : 'CUSTOM');
    expect(AuthorizerId !== undefined, RouteKey).toBe(!isWallet && !isReceiver);
  }
});

it('the authorizer returns simple responses, cached for five minutes by the Authorization header', () => {
  service.resourceCountIs('AWS::ApiGatewayV2::Authorizer', 1);
  service.hasResourceProperties('AWS::ApiGatewayV2::Authorizer', {
    AuthorizerType: 'REQUEST',
    AuthorizerPayloadFormatVersion: '2.0',
    EnableSimpleResponses: true,
    IdentitySource: ['$request.header.Authorization'],
    // Partners read this time in the documentation.
    AuthorizerResultTtlInSeconds: authorizerCacheSeconds,
  });
});

it('the API has one stage without a path prefix, with access logs', () => {
  service.resourceCountIs('AWS::ApiGatewayV2::Stage', 1);
  service.hasResourceProperties('AWS::ApiGatewayV2::Stage', { StageName: '$default', AutoDeploy: true });
  const [stage] = Object.values(service.findResources('AWS::ApiGatewayV2::Stage'));
  const line = JSON.parse(stage?.['Properties'].AccessLogSettings.Format);
  expect(line).toMatchObject({ requestId: '$context.requestId', partnerId: '$context.authorizer.partnerId' });
  // The log has no path either, because the path of a receiver is a secret.
  expect(JSON.stringify(line)).not.toMatch(/header|querystring|body|path/i);
});

it('every route is throttled, lists of service points more than the rest; requests of cash desks are counted apart', () => {
  const stage = service.findResources('AWS::ApiGatewayV2::Stage')['ApiStage'];
  expect(stage?.['Properties'].DefaultRouteSettings).toEqual({
    ThrottlingRateLimit: 2000,
    ThrottlingBurstLimit: 2000,
  });
  const cashDesk = { ThrottlingRateLimit: 2000, ThrottlingBurstLimit: 2000, DetailedMetricsEnabled: true };
  expect(stage?.['Properties'].RouteSettings).toEqual({
    'POST /places/sync': { ThrottlingRateLimit: 20, ThrottlingBurstLimit: 50 },
    'GET /partner/api/place/{placeId}/checkins': cashDesk,
    'POST /partner/api/checkin/register': cashDesk,
  });
});

it('no endpoint may run longer than the gateway waits', () => {
  const functions = all.findResources('AWS::Lambda::Function');
  for (const { id } of routed) expect(functions[id]?.['Properties'].Timeout, id).toBeLessThanOrEqual(29);
});

it('every route of an operation is in the OpenAPI document but the one for slashes in itemIds, and no other', () => {
  const { paths } = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as {
    paths: Record<string, Record<string, unknown>>;
  };
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  documented.push('GET /partner/api/place/{proxy+}');
  expect(documented.sort()).toEqual(routes.map(({ RouteKey }) => RouteKey).sort());
});

const partsOfApi = ['Authorizer', 'Integration', 'Route', 'Stage'].map(
  (type) => `AWS::ApiGatewayV2::${type}`,
);

/** Returns the parts of the API in a template, each with the parts that must exist before it. */
function partsIn(template: Template): Map<string, string[]> {
  const resources = Object.entries<{ Type: string }>(template.toJSON()['Resources']);
  const parts = resources.filter(([, { Type }]) => partsOfApi.includes(Type));
  const ids = parts.map(([id]) => id);
  // A part that names another by DependsOn, Ref or Fn::GetAtt must come after it.
  return new Map(
    parts.map(([id, part]) => {
      const text = JSON.stringify(part);
      return [id, ids.filter((other) => other !== id && text.includes(`"${other}"`))];
    }),
  );
}

it.each(stages)(
  'in %s parts of the API are created one after the other, since API Gateway refuses two at once',
  (stage) => {
    const { data: _data, all: _all, ...templates } = templatesOf(stage);
    for (const parts of Object.values(templates).map(partsIn)) {
      const waitsFor = (from: string, to: string): boolean =>
        (parts.get(from) ?? []).some((before) => before === to || waitsFor(before, to));
      const pairs = [...parts.keys()].flatMap((a) => [...parts.keys()].map((b): [string, string] => [a, b]));
      const unordered = pairs.filter(([a, b]) => a !== b && !waitsFor(a, b) && !waitsFor(b, a));
      expect(parts.size).toBeGreaterThan(4);
      expect(unordered).toEqual([]);
    }
  },
);

it.each(stages)(
  'in %s stacks with routes are deployed one after the other, whatever --concurrency says',
  (stage) => {
    const { service: main, selfService, sandbox, webConsole } = appOf(stage);
    const withRoutes = [main, selfService, ...(sandbox ? [sandbox] : []), webConsole];
    for (const [n, stack] of withRoutes.slice(1).entries())
      expect(stack.dependencies).toContain(withRoutes[n]);
  },
);
