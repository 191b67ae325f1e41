import { Validations } from 'aws-cdk-lib';
import { HttpMethod, HttpNoneAuthorizer, HttpRouteKey } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { openRoute, sizes } from './config.ts';
import { gatewayRoute, setRoute } from './constructs/gateway-route.ts';
import { serviceFunction } from './constructs/service-function.ts';
import type { HttpService } from './service.ts';

const pages = {
  Home: '/',
  Document: '/openapi.json',
  Console: '/console',
  ConsoleFiles: '/console/{proxy+}',
};

/** The routes that need no key. The gateway takes no GET route for HEAD. It leaves the body out of the response. */
export const consoleRoutes = [
  ...Object.entries(pages).flatMap(([page, path]) => [
    { id: `${page}Route`, key: HttpRouteKey.with(path, HttpMethod.GET) },
    { id: `${page}HeadRoute`, key: HttpRouteKey.with(path, HttpMethod.HEAD) },
  ]),
  { id: 'NoRoute', key: HttpRouteKey.DEFAULT },
];

/** The web page for partners: one function that serves files, without any right to data. */
export function addConsole(service: HttpService): void {
  const { stack, config, gateway } = service;
  // A new version takes over at once: while two served calls, the page of one would ask the other for its files.
  const { rollouts: _never, ...inPlace } = service;
  const { stage, wallet, mapTiles } = config;
  const { target } = serviceFunction(inPlace, 'ServeConsole', {
    size: sizes.endpoint,
    environment: { CONSOLE_SETTINGS: JSON.stringify({ stage, wallet, mapTiles }) },
  });
  // One permission for all routes, because the stack's resources are limited, and one for what has no route: there the
  // gateway calls in the name of `$default`, without a method.
  const integration = new HttpLambdaIntegration('Integration', target, { scopePermissionToRoute: false });
  target.addPermission('NoRoutePermission', {
    principal: new ServicePrincipal('apigateway.amazonaws.com'),
    sourceArn: stack.formatArn({
      service: 'execute-api',
      resource: gateway.api.apiId,
      resourceName: '*/$default',
    }),
  });
  const authorizer = new HttpNoneAuthorizer();
  for (const { id, key } of consoleRoutes) {
    const route = gatewayRoute(stack, id, { gateway, routeKey: key, integration, authorizer });
    setRoute(gateway, key.key, openRoute);
    Validations.of(route).acknowledge({
      id: 'AwsSolutions-APIG4',
      reason:
        'The page and the OpenAPI document are public; the page has no data before somebody signs in. Nothing lies where there is no route.',
    });
  }
}
