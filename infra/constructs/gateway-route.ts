import type { CfnResource, Stack } from 'aws-cdk-lib';
import {
  type CfnAuthorizer,
  CfnIntegration,
  CfnRoute,
  HttpRoute,
  type HttpRouteProps,
} from 'aws-cdk-lib/aws-apigatewayv2';
import type { Throttle } from '../config.ts';
import type { Gateway } from '../service.ts';

/**
 * A route of the API, created after the one before it. API Gateway refuses changes of one API that overlap ("Unable to
 * complete operation due to concurrent modification"), and CloudFormation makes in parallel whatever has no order.
 * Between routes of two stacks the dependency becomes one of the stacks.
 */
export function gatewayRoute(
  stack: Stack,
  id: string,
  { gateway, ...props }: Omit<HttpRouteProps, 'httpApi'> & { gateway: Gateway },
): HttpRoute {
  const route = new HttpRoute(stack, id, { ...props, httpApi: gateway.api });
  for (const made of route.node.findAll()) {
    if (made instanceof CfnIntegration || made instanceof CfnRoute) afterLastChange(gateway, made);
  }
  gateway.routes.push(route);
  return route;
}

/**
 * Gives a route settings of its own. Only routes of the stage's stack may have them: API Gateway refuses every change of
 * the stage while its settings name a route that does not exist, whether not yet or no longer (docs/adr/0029).
 */
export function setRoute(
  { stage }: Gateway,
  key: string,
  { requestsPerSecond, burst, metrics = false }: Throttle & { metrics?: boolean },
): void {
  stage.routeSettings = {
    ...stage.routeSettings,
    [key]: {
      ThrottlingRateLimit: requestsPerSecond,
      ThrottlingBurstLimit: burst,
      ...(metrics ? { DetailedMetricsEnabled: true } : {}),
    },
  };
}

/** Lets a part of the API be created or changed after the routes that it has now. */
export function afterLastChange({ api, routes }: Gateway, resource: CfnResource): void {
  // The authorizer comes with the first route.
  const last = routes.at(-1) ?? api.node.findChild('PartnerAuthorizer');
  resource.addResourceDependency(last.node.defaultChild as CfnRoute | CfnAuthorizer);
}
