import type { Template } from 'aws-cdk-lib/assertions';
import { expect, it } from 'vitest';
import { documented } from '../../docs/generate/operations.ts';
import { stages } from '../../infra/config.ts';
import { authorizerCacheSeconds } from '../../shared/partners/key.ts';
import { appOf, functionBehind, propertiesOf, resource, templatesOf } from './synthesize.ts';

const { service } = templatesOf('prod');
// The sandbox has every route, while prod lacks those of the simulated wallet platform.
const { all } = templatesOf('sandbox');
const allRoutes = propertiesOf(all, 'AWS::ApiGatewayV2::Route');
const [open = [], routes = []] = [true, false].map((isOpen) =>
  allRoutes.filter(({ Target }) => (functionOf(Target) === 'ServeConsole') === isOpen),
);

/** Returns the function behind a route, found by its integration as in the gateway. */
function functionOf(target: unknown): string {
  const integrationId = /"Ref":"([^"]+)"/.exec(JSON.stringify(target))?.[1] ?? '';
  return functionBehind(resource(all, 'AWS::ApiGatewayV2::Integration', integrationId).IntegrationUri);
}

const routed = routes.map(({ RouteKey, Target, AuthorizationType }) => ({
  id: functionOf(Target),
  route: RouteKey,
  authorization:
    { CUSTOM: 'basic', AWS_IAM: 'iam', NONE: 'none' }[AuthorizationType as string] ?? AuthorizationType,
}));

const declared = documented.flatMap(({ operation: { id, route, caller, aliases = [] } }) =>
  [route, ...aliases].map((path) => ({ id, route: path, authorization: caller.authorization })),
);

function byId(a: { id: string; route: string }, b: { id: string; route: string }) {
  return `${a.id}${a.route}`.localeCompare(`${b.id}${b.route}`);
}

it('rule 29: every operation has its route, for its caller, and /wallet is where only IAM lets in', () => {
  const where = 'each contract in functions/ has a function in infra/<area>.ts, which gives it its route';
  expect(routed.sort(byId), where).toEqual(declared.sort(byId));
  for (const { route, authorization } of routed)
    expect(route.split(' ')[1]?.startsWith('/wallet/'), route).toBe(authorization === 'iam');
});

it('beside receivers only the console and the OpenAPI document are open', () => {
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
});

// `*` stands for any characters of the part of an ARN behind its last colon, here API/STAGE/METHOD/PATH, or API/STAGE/$default.
it('each function allows the gateway to call it for its routes', () => {
  const permissions = propertiesOf(all, 'AWS::Lambda::Permission')
    .filter(({ Principal }) => Principal === 'apigateway.amazonaws.com')
    .map(({ FunctionName, SourceArn }) => ({
      calls: functionBehind(FunctionName),
      allowed: String(SourceArn['Fn::Join'][1].at(-1)).split('*').map(RegExp.escape).join('.*'),
    }));
  for (const { RouteKey, Target } of allRoutes) {
    const called = `/stage/${RouteKey.replace(' ', '')}`;
    const allowed = permissions.filter(({ calls }) => calls === functionOf(Target));
    const allows = allowed.some((one) => new RegExp(`^${one.allowed}$`).test(called));
    expect(allows, RouteKey).toBe(true);
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

it('the API has one stage without a path prefix', () => {
  service.resourceCountIs('AWS::ApiGatewayV2::Stage', 1);
  service.hasResourceProperties('AWS::ApiGatewayV2::Stage', { StageName: '$default', AutoDeploy: true });
});

/** Returns the limits of each route of a stage, by its key, as API Gateway applies them. */
function limitsOf(stage: (typeof stages)[number]) {
  const { all: stacks } = templatesOf(stage);
  const { DefaultRouteSettings, RouteSettings } = resource(stacks, 'AWS::ApiGatewayV2::Stage', 'ApiStage');
  return propertiesOf(stacks, 'AWS::ApiGatewayV2::Route').map(({ RouteKey, AuthorizationType }) => {
    // Settings of a route replace the stage's as a whole.
    const { ThrottlingRateLimit, ThrottlingBurstLimit } = RouteSettings[RouteKey] ?? DefaultRouteSettings;
    const limits: [number, number] = [ThrottlingRateLimit, ThrottlingBurstLimit];
    return { key: RouteKey as string, hasKey: AuthorizationType !== 'NONE', limits };
  });
}

it.each(stages)(
  'rule 48: in %s a route of partners, receivers or the wallet platform takes more than a budget of 1,000 in 10 s, any other 20 a second',
  (stage) => {
    const limits = limitsOf(stage);
    expect(limits.length).toBeGreaterThan(40);
    for (const { key, hasKey, limits: given } of limits) {
      // Receivers verify a token and a signature, and take every callback of the stage, 33 a second for each partner.
      const isOpen = !hasKey && key !== 'POST /sandbox/callbacks/{token}';
      expect(given, key).toEqual(isOpen ? [20, 100] : stage === 'prod' ? [2_000, 3_000] : [500, 1_500]);
    }
    expect(limits.filter(({ hasKey }) => !hasKey).map(({ key }) => key)).toContain('$default');
  },
);

it.each(stages)(
  'in %s the stage sets only routes of its own stack: API Gateway refuses its changes while it names a route that does not exist',
  (stage) => {
    const { service: own } = templatesOf(stage);
    const { RouteSettings } = resource(own, 'AWS::ApiGatewayV2::Stage', 'ApiStage');
    const keys = propertiesOf(own, 'AWS::ApiGatewayV2::Route').map(({ RouteKey }) => RouteKey);
    expect(Object.keys(RouteSettings).length).toBeGreaterThan(10);
    expect(keys).toEqual(expect.arrayContaining(Object.keys(RouteSettings)));
  },
);

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

/** Returns all parts that exist before a part, each looked at once. */
function allBefore(parts: Map<string, string[]>, from: string): Set<string> {
  const before = new Set(parts.get(from));
  // A set that grows while it is walked is walked to its new end.
  for (const one of before) for (const earlier of parts.get(one) ?? []) before.add(earlier);
  return before;
}

it.each(stages)(
  'in %s parts of the API are created one after the other, since API Gateway refuses two at once',
  (stage) => {
    const { data: _data, all: _all, ...templates } = templatesOf(stage);
    for (const parts of Object.values(templates).map(partsIn)) {
      const waitsFor = (from: string, to: string): boolean => allBefore(parts, from).has(to);
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
    const { service: main, selfService, sandbox } = appOf(stage);
    const withRoutes = [main, selfService, ...(sandbox ? [sandbox] : [])];
    for (const [n, stack] of withRoutes.slice(1).entries())
      expect(stack.dependencies).toContain(withRoutes[n]);
  },
);
