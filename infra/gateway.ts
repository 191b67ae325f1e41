import { Duration } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import { type CfnStage, HttpApi, HttpStage, LogGroupLogDestination } from 'aws-cdk-lib/aws-apigatewayv2';
import {
  HttpIamAuthorizer,
  HttpLambdaAuthorizer,
  HttpLambdaResponseType,
} from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { MathExpression, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { alarm } from './constructs/alarm.ts';
import { logGroup } from './constructs/log-group.ts';
import { logicalId } from './constructs/logical-id.ts';
import { ownMetric } from './constructs/own-metric.ts';
import { serviceFunction } from './constructs/service-function.ts';
import { addDomain } from './domain.ts';
import type { Gateway, Service } from './service.ts';

/** The HTTP API with its one stage, the partners' authorizer, access logs and the alarm on server errors. */
export function addGateway(service: Service): Gateway {
  const { stack, config } = service;
  const api = logicalId(
    new HttpApi(stack, 'Api', {
      apiName: `${config.namePrefix}-api`,
      createDefaultStage: false,
      // Its own name knows no client certificates: it would be the way around them.
      ...(config.domain?.truststore ? { disableExecuteApiEndpoint: true } : {}),
    }),
  );
  const stage = logicalId(
    new HttpStage(stack, 'ApiStage', {
      httpApi: api,
      autoDeploy: true,
      throttle: {
        rateLimit: config.throttle.route.requestsPerSecond,
        burstLimit: config.throttle.route.burst,
      },
      accessLogSettings: {
        destination: new LogGroupLogDestination(accessLogs(service)),
        format: AccessLogFormat.custom(JSON.stringify(accessLogLine)),
      },
    }),
  );
  watchServerErrors(service, api);
  if (config.domain) addDomain(stack, config.domain, { api, stage });
  return {
    api,
    stage: stage.node.defaultChild as CfnStage,
    authorizers: { partner: partnerAuthorizer(service), wallet: new HttpIamAuthorizer() },
    walletRoutes: [],
    baseUrl: config.domain ? `https://${config.domain.name}` : api.apiEndpoint,
  };
}

function partnerAuthorizer(service: Service): HttpLambdaAuthorizer {
  const { config } = service;
  const { lambda, called } = serviceFunction(service, 'AuthorizePartner', {
    size: config.sizes.authorizer,
    tableActions: ['dynamodb:GetItem'],
    rows: 'accounts only',
  });
  alarm(service, 'AuthorizerErrors', {
    impact: 'The authorizer fails: partners with valid credentials are answered 500 on every route.',
    runbook: 'authorizer-errors',
    metric: (period) => lambda.metricErrors({ period }),
    rule: config.alarms.authorizerErrors,
    missingData: TreatMissingData.NOT_BREACHING,
  });
  alarm(service, 'CredentialsRefused', {
    impact:
      'Somebody tries many credentials: accounts of partners are being guessed at, or a partner is misled.',
    runbook: 'credentials-refused',
    metric: (period) =>
      ownMetric(config, lambda.node.id, 'Refused', { period, label: 'refused credentials' }),
    rule: config.alarms.credentialsRefused,
    missingData: TreatMissingData.NOT_BREACHING,
  });
  return new HttpLambdaAuthorizer('PartnerAuthorizer', called, {
    responseTypes: [HttpLambdaResponseType.SIMPLE],
    identitySource: ['$request.header.Authorization'],
    resultsCacheTtl: Duration.seconds(config.authorizerCacheSeconds),
  });
}

function watchServerErrors(service: Service, api: HttpApi): void {
  const { serverErrorPercent, serverErrorMinRequests } = service.config.alarms;
  alarm(service, 'ServerErrors', {
    impact:
      'Requests of partners or of the wallet platform are answered 5xx: what they asked for is not done.',
    runbook: 'server-errors',
    metric: (period) =>
      new MathExpression({
        label: 'requests answered 5xx, percent',
        expression: `IF(requests >= ${serverErrorMinRequests}, 100 * failed / requests, 0)`,
        usingMetrics: { requests: api.metricCount({ period }), failed: api.metricServerError({ period }) },
        period,
      }),
    rule: serverErrorPercent,
    missingData: TreatMissingData.NOT_BREACHING,
  });
}

/** The vendedlogs prefix keeps the account's log resource policy, which has a size limit, from growing. */
function accessLogs(service: Service): LogGroup {
  return logGroup(service, 'ApiAccessLogs', `/aws/vendedlogs/apigateway/${service.config.namePrefix}-api`);
}

const accessLogLine = {
  requestId: '$context.requestId',
  time: '$context.requestTime',
  sourceIp: '$context.identity.sourceIp',
  userAgent: '$context.identity.userAgent',
  partnerId: '$context.authorizer.partnerId',
  callerArn: '$context.identity.userArn',
  route: '$context.routeKey',
  status: '$context.status',
  responseBytes: '$context.responseLength',
  latencyMs: '$context.responseLatency',
  integrationLatencyMs: '$context.integrationLatency',
  integrationError: '$context.integrationErrorMessage',
  authorizerError: '$context.authorizer.error',
};
