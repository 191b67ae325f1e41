import { type HttpMethod, HttpRoute, HttpRouteKey } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { Throttle } from '../config.ts';
import type { Caller, HttpService } from '../service.ts';
import { logicalId } from './logical-id.ts';
import { type ServiceFunction, type ServiceFunctionProps, serviceFunction } from './service-function.ts';

export interface EndpointProps extends ServiceFunctionProps {
  readonly method: HttpMethod;
  readonly path: string;
  /** Other paths to the same function. */
  readonly aliases?: readonly string[];
  readonly caller: Caller;
  /** Left out: the stage's limit for every route. */
  readonly throttle?: Throttle;
}

/** One function behind one route, open to one kind of caller. */
export function endpoint(service: HttpService, id: string, props: EndpointProps): ServiceFunction {
  const { stack, gateway } = service;
  const handler = serviceFunction(service, id, props);
  const routeKey = HttpRouteKey.with(props.path, props.method);
  const integration = new HttpLambdaIntegration('Integration', handler.called);
  const route = logicalId(
    new HttpRoute(stack, `${id}Route`, {
      httpApi: gateway.api,
      routeKey,
      integration,
      authorizer: gateway.authorizers[props.caller],
    }),
  );
  for (const [n, path] of (props.aliases ?? []).entries()) {
    logicalId(
      new HttpRoute(stack, `${id}Alias${n + 1}`, {
        httpApi: gateway.api,
        routeKey: HttpRouteKey.with(path, props.method),
        integration,
        authorizer: gateway.authorizers[props.caller],
      }),
    );
  }
  if (props.caller === 'wallet') {
    const paths = [props.path, ...(props.aliases ?? [])];
    gateway.walletRoutes.push(...paths.map((path) => ({ method: props.method, path })));
  }
  if (props.throttle) {
    gateway.stage.routeSettings = {
      ...gateway.stage.routeSettings,
      [routeKey.key]: {
        ThrottlingRateLimit: props.throttle.requestsPerSecond,
        ThrottlingBurstLimit: props.throttle.burst,
      },
    };
    // API Gateway refuses settings of a route that does not exist yet.
    gateway.stage.node.addDependency(route);
  }
  return handler;
}
