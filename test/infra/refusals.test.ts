import { expect, it } from 'vitest';
import { stages } from '../../infra/config.ts';
import { countedBy } from './cloudwatch.ts';
import { resource, templatesOf } from './synthesize.ts';

const { service } = templatesOf('prod');

function accessLineCounts(line: Record<string, string>): string[] {
  const without = { partnerId: '-', integrationError: '-', authorizerError: '-' };
  return countedBy(service, 'ApiAccessLogs', { ...without, ...line });
}

function refused(route: string) {
  return accessLineCounts({ route, status: '429', integrationLatencyMs: '-' });
}

it('rule 48: the gateway’s own 429 is counted, a function’s 429 is not', () => {
  expect(refused('GET /keys')).toEqual(['RefusedByGateway']);
  expect(accessLineCounts({ route: 'GET /keys', status: '429', integrationLatencyMs: '12' })).toEqual([]);
  expect(accessLineCounts({ route: 'GET /keys', status: '403', integrationLatencyMs: '-' })).toEqual([]);
});

// `objectives.test.ts` says against which objectives these count.
it.each([
  ['TillsRefused', 'GET /partner/api/place/{placeId}/checkins'],
  ['TillsRefused', 'POST /partner/api/checkin/register'],
  ['SendsRefused', 'POST /push/delivery'],
  ['SendsRefused', 'POST /push/bulk/single'],
  ['SendsRefused', 'POST /bulk/single'],
  ['SendsRefused', 'POST /push/bulk/multi'],
  ['SendsRefused', 'POST /bulk/multi'],
])('rule 48: as %s counts what the gateway refuses of %s', (metric, route) => {
  expect(refused(route)).toEqual(['RefusedByGateway', metric]);
});

it('sends whose function is throttled count against their objective, which knows failures and own refusals of functions by other metrics', () => {
  const send = { route: 'POST /bulk/single', partnerId: 'bars', integrationLatencyMs: '12' };
  const integrationError = 'Rate exceeded';
  expect(accessLineCounts({ ...send, status: '503', integrationError })).toEqual(['SendsRefused']);
  expect(accessLineCounts({ ...send, status: '500', integrationError })).toEqual([]);
  const authorizerError = 'The function failed';
  expect(accessLineCounts({ ...send, status: '500', authorizerError })).toEqual(['SendsRefused']);
  expect(accessLineCounts({ ...send, status: '503' })).toEqual([]);
  expect(accessLineCounts({ ...send, status: '503', integrationError, route: 'POST /places/sync' })).toEqual(
    [],
  );
});

it('what anybody may call alarms nobody', () => {
  const open = ['$default', 'GET /', 'HEAD /console', 'GET /console/{proxy+}', 'GET /openapi.json'];
  for (const route of [...open, 'POST /sandbox/callbacks/{token}']) expect(refused(route), route).toEqual([]);
});

it.each(stages)('in %s the access log has what the patterns read, and who was refused where', (stage) => {
  const { Format } = resource(
    templatesOf(stage).service,
    'AWS::ApiGatewayV2::Stage',
    'ApiStage',
  ).AccessLogSettings;
  // No text of the caller's choice, such as its user agent: anybody could make the log dear. Nor a path: that of a
  // receiver is a secret.
  expect(JSON.parse(Format)).toEqual({
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
  });
});
