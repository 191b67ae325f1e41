import { Duration } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  type CfnApi,
  type CfnStage,
  HttpApi,
  HttpNoneAuthorizer,
  HttpStage,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import {
  HttpIamAuthorizer,
  HttpLambdaAuthorizer,
  HttpLambdaResponseType,
} from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { accessLogLine, addAccessLog } from './access-log.ts';
import { sizes } from './config.ts';
import { addAlarm } from './constructs/alarm.ts';
import { serviceMetric } from './constructs/metrics.ts';
import { serviceFunction } from './constructs/service-function.ts';
import { addDomain } from './domain.ts';
import { watchRefusals } from './refusals.ts';
import { watchServerErrors } from './server-errors.ts';
import type { Gateway, Service } from './service.ts';

/** The HTTP API with its one stage, the partners' authorizer, access logs and the alarms on server errors. */
export function addGateway(service: Service): Gateway {
  const { stack, config } = service;
  const api = new HttpApi(stack, 'Api', {
    apiName: `${config.namePrefix}-api`,
    createDefaultStage: false,
    // The API's own name asks for no client certificate, so it would bypass mutual TLS.
    ...(config.domain?.truststore ? { disableExecuteApiEndpoint: true } : {}),
  });
  const logs = addAccessLog(service);
  const stage = new HttpStage(stack, 'ApiStage', {
    httpApi: api,
    autoDeploy: true,
    // Each route without settings of its own takes these, also those of stacks that are deployed later.
    throttle: { rateLimit: config.route.requestsPerSecond, burstLimit: config.route.burst },
    accessLogSettings: {
      destination: new LogGroupLogDestination(logs),
      format: AccessLogFormat.custom(JSON.stringify(accessLogLine)),
    },
  });
  watchServerErrors(service, api);
  watchRefusals(service);
  if (config.domain) addDomain(stack, config.domain, { api, stage });
  // It is exported also where no stack imports it any more: CloudFormation takes no export away before that is deployed.
  stack.exportValue((api.node.defaultChild as CfnApi).attrApiEndpoint);
  const ownDomain = config.domain ? [`https://${config.domain.name}`] : [];
  return {
    api,
    stage: stage.node.defaultChild as CfnStage,
    authorizers: {
      basic: partnerAuthorizer(service),
      iam: new HttpIamAuthorizer(),
      none: new HttpNoneAuthorizer(),
    },
    routes: [],
    walletRoutes: [],
    baseUrl: ownDomain[0] ?? api.apiEndpoint,
    origins: config.domain?.truststore ? ownDomain : [...ownDomain, api.apiEndpoint],
  };
}

function partnerAuthorizer(service: Service): HttpLambdaAuthorizer {
  const { config } = service;
  const { lambda, target } = serviceFunction(service, 'AuthorizePartner', {
    size: sizes.authorizer,
    reads: ['key'],
    environment: { PUSHES_PER_MINUTE: String(config.pushesPerMinute) },
  });
  addAlarm(service, 'CredentialsRefused', {
    impact: 'Many credentials are refused: somebody is guessing accounts, or a partner uses a wrong secret.',
    lookAt: 'sourceIp in the access log of the API',
    metric: serviceMetric(config, lambda.node.id, 'Refused', { label: 'refused credentials' }),
    // The gateway caches verdicts, so a partner with one wrong secret counts once in five minutes.
    threshold: 100,
    notice: true,
  });
  return new HttpLambdaAuthorizer('PartnerAuthorizer', target, {
    responseTypes: [HttpLambdaResponseType.SIMPLE],
    identitySource: ['$request.header.Authorization'],
    resultsCacheTtl: Duration.minutes(5),
  });
}
