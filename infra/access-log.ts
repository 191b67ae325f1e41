import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { consoleRoutes } from './console.ts';
import { accessLogName, countLines, logGroup } from './constructs/log-group.ts';
import { findOperation } from './operations.ts';
import type { Service } from './service.ts';

/** The operations of cash desks, and those with which partners send. */
export const tillIds = ['ListCheckIns', 'RegisterCheckIn'];
export const sendIds = ['SendMessage', 'SendBulk', 'SendMulti'];

/**
 * The fields of a line, whose values are `-` where there is none. None of them has a text of the caller's choice: anybody
 * could make the log dear by a long one.
 */
export const accessLogLine = {
  requestId: '$context.requestId',
  time: '$context.requestTime',
  sourceIp: '$context.identity.sourceIp',
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

/** A 429 of the gateway itself has called no function, so it has no latency of one. A function's 429 has. */
const refused = '$.status = "429" && $.integrationLatencyMs = "-"';

/**
 * The gateway could not invoke a function, which is throttled and does not count the request, or got no response within
 * 30 s. To a function's error, which Lambda counts, it responds 500. A 503 of a function itself has no error.
 */
const notServed = '$.status = "503" && $.integrationError != "-"';

/** The gateway could not ask the authorizer, so no function counts the request. */
const notAuthorized = '$.status = "500" && $.authorizerError != "-"';

/** Anybody may call the other routes, so what the gateway refuses of them must alarm nobody. */
const withKey = [...consoleRoutes.map(({ key }) => key.key), findOperation('TakeSandboxCallback').route]
  .map((route) => `$.route != "${route}"`)
  .join(' && ');

/** Failures of the wallet platform's requests, which are no one partner's. */
const common = '$.status = "500" && $.partnerId = "-" && $.callerArn != "-"';

/** The access log of the API, and what is counted in it. Without a line a metric has no data and no price. */
export function addAccessLog(service: Service): LogGroup {
  const logs = logGroup(service, 'ApiAccessLogs', accessLogName(service.config));
  countLines(service, logs, { name: 'RefusedByGateway', pattern: `{ ${refused} && ${withKey} }` });
  countLines(service, logs, { name: 'TillsRefused', pattern: `{ ${refused} && (${matchRoutes(tillIds)}) }` });
  countLines(service, logs, { name: 'SendsRefused', pattern: `{ ${refused} && (${matchRoutes(sendIds)}) }` });
  const lost = `{ ((${notServed}) || (${notAuthorized})) && (${matchRoutes(sendIds)}) }`;
  countLines(service, logs, { name: 'SendsRefused', id: 'CountSendsNotServed', pattern: lost });
  if (service.config.rollout === 'canary')
    countLines(service, logs, { name: 'CommonFailures', pattern: `{ ${common} }` });
  return logs;
}

function matchRoutes(ids: readonly string[]): string {
  const routes = ids.map(findOperation).flatMap(({ route, aliases = [] }) => [route, ...aliases]);
  return routes.map((route) => `$.route = "${route}"`).join(' || ');
}
