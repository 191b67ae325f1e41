import { Validations } from 'aws-cdk-lib';
import { HttpMethod, HttpNoneAuthorizer, HttpRouteKey } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { gatewayRoute } from './constructs/gateway-route.ts';
import { serviceFunction } from './constructs/service-function.ts';
import type { HttpService } from './service.ts';

const pages = {
  Home: '/',
  Document: '/openapi.json',
  Console: '/console',
  ConsoleFiles: '/console/{proxy+}',
};

/** The web page for partners: one function that serves files, without any right to data. */
export function addConsole(service: HttpService): void {
  const { stack, config, gateway } = service;
  // A new version takes over at once: while two served calls, the page of one would ask the other for its files.
  const { rollouts: _never, ...inPlace } = service;
  const { wallet, mapTiles } = config;
  const { target } = serviceFunction(inPlace, 'ServeConsole', {
    size: config.sizes.endpoint,
    tableActions: [],
    environment: { CONSOLE_SETTINGS: JSON.stringify({ wallet, mapTiles }) },
  });
  const integration = new HttpLambdaIntegration('Integration', target);
  const authorizer = new HttpNoneAuthorizer();
  // The gateway takes no GET route for HEAD. It leaves the body out of the response.
  const routes = Object.entries(pages).flatMap(([page, path]) => [
    [`${page}Route`, HttpRouteKey.with(path, HttpMethod.GET)] as const,
    [`${page}HeadRoute`, HttpRouteKey.with(path, HttpMethod.HEAD)] as const,
  ]);
  for (const [id, routeKey] of [...routes, ['NoRoute', HttpRouteKey.DEFAULT] as const]) {
    const route = gatewayRoute(stack, id, { gateway, routeKey, integration, authorizer });
    Validations.of(route).acknowledge({
      id: 'AwsSolutions-APIG4',
      reason:
        'The page and the OpenAPI document are public; the page has no data before somebody signs in. Nothing lies where there is no route.',
    });
  }
}
