import * as z from 'zod/mini';
import { failure } from '../../build/command-line.ts';
import type { Assembly } from './read-assembly.ts';
import { functionNameIn, readResources } from './read-properties.ts';

export type AuthorizerModel = ReturnType<typeof readAuthorizers>[number];

export interface RouteModel {
  /** `POST /places/sync` */
  readonly key: string;
  readonly functionName: string;
  /** `iam`: checked by nobody here. */
  readonly authorizer: AuthorizerModel | 'iam' | 'none';
}

export type ApiModel = ReturnType<typeof readApi>;

const identityPrefix = '$request.header.';

const apiSchema = z.strictObject({ ProtocolType: z.literal('HTTP') });

const stageSchema = z.strictObject({ StageName: z.literal('$default') });

const authorizerSchema = z.strictObject({
  AuthorizerType: z.literal('REQUEST'),
  AuthorizerUri: z.string(),
  AuthorizerPayloadFormatVersion: z.literal('2.0'),
  EnableSimpleResponses: z.literal(true),
  IdentitySource: z.array(z.string().check(z.startsWith(identityPrefix, 'must be a header'))),
  AuthorizerResultTtlInSeconds: z.number(),
});

const integrationSchema = z.strictObject({
  IntegrationType: z.literal('AWS_PROXY'),
  IntegrationUri: z.string(),
  PayloadFormatVersion: z.literal('2.0'),
});

const segment = String.raw`/(?:[^/{}+]+|\{\w+\})`;
const rest = String.raw`/\{\w+\+\}`;
const routeKey = z.regex(
  new RegExp(`^(?:\\$default|(?:GET|HEAD|PUT|POST|DELETE|PATCH) (?:/|(?:${segment})+(?:${rest})?))$`),
  {
    error: 'must be a method and a path of names and {variables}, or $default',
  },
);

const common = { RouteKey: z.string().check(routeKey), Target: z.string() };

const routeSchema = z.discriminatedUnion(
  'AuthorizationType',
  [
    z.strictObject({ ...common, AuthorizationType: z.literal('NONE') }),
    z.strictObject({ ...common, AuthorizationType: z.literal('AWS_IAM') }),
    z.strictObject({ ...common, AuthorizationType: z.literal('CUSTOM'), AuthorizerId: z.string() }),
  ],
  'must be NONE, AWS_IAM or CUSTOM',
);

function readAuthorizers(assembly: Assembly) {
  const reading = { schema: authorizerSchema, ignored: ['ApiId', 'Name'] };
  return readResources(assembly, 'AWS::ApiGatewayV2::Authorizer', reading).map(
    ({ resource, properties }) => ({
      id: resource.logicalId,
      functionName: functionNameIn(properties.AuthorizerUri),
      /** The headers that identify a caller, in lower case. */
      identityHeaders: properties.IdentitySource.map((source) =>
        source.slice(identityPrefix.length).toLowerCase(),
      ),
      cacheSeconds: properties.AuthorizerResultTtlInSeconds,
    }),
  );
}

/** Logical id of an integration -> the function it invokes. */
function readIntegrations(assembly: Assembly): Map<string, string> {
  const reading = { schema: integrationSchema, ignored: ['ApiId'] };
  return new Map(
    readResources(assembly, 'AWS::ApiGatewayV2::Integration', reading).map(({ resource, properties }) => [
      resource.logicalId,
      functionNameIn(properties.IntegrationUri),
    ]),
  );
}

/** One API with one stage: there is one address to serve it at. */
function demandOneApi(assembly: Assembly): void {
  const apis = readResources(assembly, 'AWS::ApiGatewayV2::Api', {
    schema: apiSchema,
    ignored: ['DisableExecuteApiEndpoint', 'Name'],
  });
  const stages = readResources(assembly, 'AWS::ApiGatewayV2::Stage', {
    schema: stageSchema,
    ignored: ['AccessLogSettings', 'ApiId', 'AutoDeploy', 'DefaultRouteSettings', 'RouteSettings'],
  });
  if (apis.length === 1 && stages.length === 1) return;
  throw failure(
    `The local runner serves one HTTP API with one stage, but the templates define ${apis.length} with ${stages.length}.`,
  );
}

export function readApi(assembly: Assembly) {
  demandOneApi(assembly);
  const authorizers = readAuthorizers(assembly);
  const functions = readIntegrations(assembly);
  const routes = readResources(assembly, 'AWS::ApiGatewayV2::Route', {
    schema: routeSchema,
    ignored: ['ApiId'],
  });
  return {
    routes: routes.map(({ properties }): RouteModel => {
      const { RouteKey: key, Target } = properties;
      const functionName = functions.get(Target.replace('integrations/', ''));
      if (!functionName) throw failure(`Route ${key} has no integration.`);
      if (properties.AuthorizationType === 'NONE') return { key, functionName, authorizer: 'none' };
      if (properties.AuthorizationType === 'AWS_IAM') return { key, functionName, authorizer: 'iam' };
      const authorizer = authorizers.find(({ id }) => id === properties.AuthorizerId);
      if (!authorizer) throw failure(`Route ${key} names no authorizer.`);
      return { key, functionName, authorizer };
    }),
  };
}
