import { Validations } from 'aws-cdk-lib';
import { HttpMethod, HttpRouteKey } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { acceptsIdempotencyKey, type Route } from '../../shared/platform/http/operation.ts';
import type { RowKindName } from '../../shared/platform/table/row-kinds.ts';
import { sizes } from '../config.ts';
import { findOperation } from '../operations.ts';
import type { HttpService } from '../service.ts';
import { gatewayRoute } from './gateway-route.ts';
import { type ServiceFunctionProps, serviceFunction } from './service-function.ts';

type HttpFunctionProps = Omit<ServiceFunctionProps, 'codeOf'>;

/** The settings of functions by their ids. */
export type HttpFunctions = Readonly<Record<string, HttpFunctionProps>>;

/** The functions of these operations, in this order. */
export function addHttpFunctions(service: HttpService, functions: HttpFunctions): void {
  for (const [id, props] of Object.entries(functions)) httpFunction(service, id, props);
}

/** The function of one operation, behind the operation's route and its aliases, open to the operation's caller. */
function httpFunction(service: HttpService, id: string, props: HttpFunctionProps): void {
  const { stack, gateway } = service;
  const { route, aliases = [], caller } = findOperation(id);
  const { authorization } = caller;
  const keyed: RowKindName[] = acceptsIdempotencyKey(findOperation(id)) ? ['idempotency key'] : [];
  // Requests of partners are taken from their budgets.
  const counted: RowKindName[] = authorization === 'basic' ? ['requests of a window'] : [];
  const { target } = serviceFunction(service, id, {
    size: sizes.endpoint,
    ...props,
    reads: [...(props.reads ?? []), ...keyed],
    writes: [...(props.writes ?? []), ...keyed, ...counted],
  });
  const integration = new HttpLambdaIntegration('Integration', target);
  const authorizer = gateway.authorizers[authorization];
  const addRoute = (routeId: string, key: Route) => {
    const { method, path } = splitRoute(key);
    const routeKey = HttpRouteKey.with(path, method);
    const added = gatewayRoute(stack, routeId, { gateway, routeKey, integration, authorizer });
    if (authorization === 'none') {
      const reason = 'The operation checks the signature of the request itself.';
      Validations.of(added).acknowledge({ id: 'AwsSolutions-APIG4', reason });
    }
  };
  addRoute(`${id}Route`, route);
  for (const [n, alias] of aliases.entries()) addRoute(`${id}Alias${n + 1}`, alias);
  if (authorization === 'iam') gateway.walletRoutes.push(route, ...aliases);
}

/** `GET /promos` -> its method and its path. */
export function splitRoute(route: Route): { method: HttpMethod; path: string } {
  const [method = '', path = ''] = route.split(' ');
  return { method: HttpMethod[method as keyof typeof HttpMethod], path };
}
