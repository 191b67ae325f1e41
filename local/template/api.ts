import * as z from 'zod/mini';
import { StartUpError } from '../start-up-error.ts';
import { functionNameIn, readProperties, resourcesOf } from './resolved-resource.ts';
import type { Assembly } from './resource.ts';

export interface AuthorizerModel {
  readonly id: string;
  readonly functionName: string;
  /** `$request.header.Authorization` */
  readonly identitySources: readonly string[];
  readonly cacheSeconds: number;
}

export interface RouteModel {
  /** `POST /places/sync` */
  readonly key: string;
  readonly functionName: string;
  readonly timeoutMs: number;
  readonly authorization: { readonly type: 'NONE' } | { readonly type: 'AWS_IAM' } | LambdaAuthorization;
}

interface LambdaAuthorization {
  readonly type: 'CUSTOM';
  readonly authorizer: AuthorizerModel;
}

export interface ApiModel {
  readonly stageName: string;
  readonly stageVariables?: Readonly<Record<string, string>>;
  readonly routes: readonly RouteModel[];
}

const authorizerProperties = z.object({
  AuthorizerType: z.literal('REQUEST'),
  AuthorizerUri: z.string(),
  AuthorizerPayloadFormatVersion: z.literal('2.0'),
  EnableSimpleResponses: z.literal(true),
  IdentitySource: z._default(z.array(z.string()), []),
  AuthorizerResultTtlInSeconds: z._default(z.number(), 0),
});

const integrationProperties = z.object({
  IntegrationType: z.literal('AWS_PROXY'),
  IntegrationUri: z.string(),
  PayloadFormatVersion: z.literal('2.0'),
  // The gateway's own maximum is also its default.
  TimeoutInMillis: z._default(z.number(), 30_000),
});

const routeProperties = z.object({
  RouteKey: z.string(),
  Target: z.string().check(z.startsWith('integrations/')),
  AuthorizationType: z._default(z.enum(['NONE', 'AWS_IAM', 'CUSTOM']), 'NONE'),
  AuthorizerId: z.optional(z.string()),
});

const stageProperties = z.object({
  StageName: z.string(),
  StageVariables: z.optional(z.record(z.string(), z.string())),
});

function readAuthorizers(assembly: Assembly): Map<string, AuthorizerModel> {
  return new Map(
    resourcesOf(assembly, 'AWS::ApiGatewayV2::Authorizer').map((resolved) => {
      const properties = readProperties(authorizerProperties, resolved);
      const id = resolved.resource.logicalId;
      const model: AuthorizerModel = {
        id,
        functionName: functionNameIn(properties.AuthorizerUri),
        identitySources: properties.IdentitySource,
        cacheSeconds: properties.AuthorizerResultTtlInSeconds,
      };
      return [id, model];
    }),
  );
}

function readIntegrations(assembly: Assembly) {
  return new Map(
    resourcesOf(assembly, 'AWS::ApiGatewayV2::Integration').map((resolved) => {
      const { IntegrationUri, TimeoutInMillis } = readProperties(integrationProperties, resolved);
      const target = { functionName: functionNameIn(IntegrationUri), timeoutMs: TimeoutInMillis };
      return [resolved.resource.logicalId, target];
    }),
  );
}

/** The one HTTP API of the assembly, or none. */
export function readApi(assembly: Assembly): ApiModel | undefined {
  const [api, second] = resourcesOf(assembly, 'AWS::ApiGatewayV2::Api');
  if (!api) return undefined;
  if (second)
    throw new StartUpError('The local runner serves one HTTP API, but the templates define several.');
  readProperties(z.object({ ProtocolType: z.literal('HTTP') }), api);

  const authorizers = readAuthorizers(assembly);
  const integrations = readIntegrations(assembly);
  const routes = resourcesOf(assembly, 'AWS::ApiGatewayV2::Route').map((resolved): RouteModel => {
    const { RouteKey, Target, AuthorizationType, AuthorizerId } = readProperties(routeProperties, resolved);
    const integration = integrations.get(Target.slice('integrations/'.length));
    const authorizer = authorizers.get(AuthorizerId ?? '');
    if (!integration) throw new StartUpError(`Route ${RouteKey} has no integration.`);
    if (AuthorizationType !== 'CUSTOM') {
      return { key: RouteKey, ...integration, authorization: { type: AuthorizationType } };
    }
    if (!authorizer) throw new StartUpError(`Route ${RouteKey} names no authorizer.`);
    return { key: RouteKey, ...integration, authorization: { type: 'CUSTOM', authorizer } };
  });
  const [stage] = resourcesOf(assembly, 'AWS::ApiGatewayV2::Stage');
  const { StageName, StageVariables } = stage
    ? readProperties(stageProperties, stage)
    : { StageName: '$default', StageVariables: undefined };
  return { stageName: StageName, routes, ...(StageVariables ? { stageVariables: StageVariables } : {}) };
}
