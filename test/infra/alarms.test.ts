import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { stages } from '../../infra/config.ts';
import { propertiesOf, resource, templatesOf } from './synthesize.ts';

const { all } = templatesOf('prod');
const alarms = Object.entries(all.findResources('AWS::CloudWatch::Alarm')).map(([id, { Properties }]) => ({
  id,
  ...Properties,
}));

/** The ids that GitHub gives to headings. */
const headingIds = [...readFileSync('docs/runbook.md', 'utf8').matchAll(/^## (.+)$/gm)].map(([, text = '']) =>
  text
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-'),
);

const notifying = alarms.filter(({ id }) => id !== 'Rollback');

it('every alarm says what happened and who is affected, what to look at first, and where the runbook continues', () => {
  for (const { id, AlarmDescription } of alarms) {
    expect(AlarmDescription, id).toMatch(
      /^[A-Z].{40,160}\. Look at .{10,80}\. Runbook: docs\/runbook\.md#[a-z-]+$/,
    );
  }
});

it('every alarm has its heading in the runbook, those of a budget share one, and every heading has an alarm', () => {
  // The sandbox has every alarm of prod but the one for rollbacks, and those of the simulated wallet platform.
  const every = [...alarms, ...propertiesOf(templatesOf('sandbox').all, 'AWS::CloudWatch::Alarm')];
  const headings = every.map(({ AlarmDescription }) => AlarmDescription.split('#')[1]);
  expect([...new Set(headings)].sort()).toEqual(headingIds.sort());
});

/** Alarms that can wait until the next working day. */
const notices = [
  'ConsoleFilesMissing',
  'CredentialsRefused',
  'EndpointDisabled',
  'ManyBytes',
  'OverBudget',
  'RequestsFailing',
];

/** Alarms on what happens every minute, so that silence is a failure too. */
const neverSilent = ['DispatchMessagesLate', 'FanOutStatesLate', 'SweepDueMissing'];

it('every alarm but notices and the one for rollbacks notifies the topic, when it goes off and when it is over', () => {
  for (const { id, AlarmActions, OKActions, TreatMissingData } of notifying) {
    const isNotice = notices.includes(id);
    expect(AlarmActions, id).toEqual([{ Ref: isNotice ? 'Notices' : 'Alarms' }]);
    expect(OKActions, id).toEqual(isNotice ? undefined : [{ Ref: 'Alarms' }]);
    expect(TreatMissingData, id).toBe(neverSilent.includes(id) ? 'breaching' : 'notBreaching');
  }
});

it('many open circuits page where callbacks are needed, and leave a notice where engineers try them out', () => {
  const topics = stages.map((stage) => {
    const { AlarmActions } = resource(
      templatesOf(stage).service,
      'AWS::CloudWatch::Alarm',
      'ManyCircuitsOpen',
    );
    return `${stage}: ${AlarmActions[0].Ref}`;
  });
  expect(topics).toEqual(['dev: Notices', 'sandbox: Notices', 'staging: Alarms', 'prod: Alarms']);
});

type MetricStat = { Metric: Record<string, unknown>; Stat: string; Period: number };

/** Returns the metric of an alarm, or those that it adds up, each with its dimensions. */
function metricsOf(id: string) {
  const { Metrics, Statistic: Stat, ...own } = resource(all, 'AWS::CloudWatch::Alarm', id);
  if (!Metrics) return [{ ...own, Stat }];
  return (Metrics as { MetricStat?: MetricStat }[]).flatMap(({ MetricStat: stat }) =>
    stat ? [{ ...stat.Metric, Stat: stat.Stat, Period: stat.Period }] : [],
  );
}

/** Returns a metric of our own, of one function or of the whole stage, to which every function adds. */
function ownMetric(MetricName: string, id?: string) {
  const ofStage = { Name: 'service', Value: 'partner-integration-prod' };
  const Dimensions = id ? [{ Name: 'function', Value: id }, ofStage] : [ofStage];
  return { Namespace: 'PartnerIntegration', MetricName, Dimensions };
}

function lambdaMetric(MetricName: string, Value: unknown) {
  return { Namespace: 'AWS/Lambda', MetricName, Dimensions: [{ Name: 'FunctionName', Value }] };
}

/** The bulk sends that the contract refuses with 503. */
const bulkRefused = ['SendBulk', 'SendMulti'].map((id) => ownMetric('RefusedAs503', id));

/** The metrics of Lambda for which the gateway responds with 503 and 500. */
const filesNotServed = ['Throttles', 'Errors'].map((name) =>
  lambdaMetric(name, 'partner-integration-prod-ServeConsole'),
);
const everyRoute = { Dimensions: [{ Name: 'ApiId', Value: { Ref: 'Api' } }] };
/** Every 5xx, and those that do not count. */
const failed = [{ MetricName: '5xx', ...everyRoute }, ...filesNotServed, ...bulkRefused];
const processSyncFails = [
  { ...lambdaMetric('Errors', { Ref: 'ProcessSync' }), Stat: 'Sum' },
  { ...ownMetric('Failed', 'ProcessSync'), Stat: 'Sum' },
];

/** How old the records are that a reader of the stream gets. One that has stopped has no data. */
function recordAge(id: string) {
  return [lambdaMetric('IteratorAge', { Ref: id })];
}

/** Records of the stream that a reader gives up wait in its dead-letter queue, or are lost where SQS does not take them. */
function givenUp(id: string) {
  const Dimensions = [{ Name: 'QueueName', Value: { 'Fn::GetAtt': [`${id}Dlq`, 'QueueName'] } }];
  const waiting = { Namespace: 'AWS/SQS', MetricName: 'ApproximateNumberOfMessagesVisible', Dimensions };
  const lost = { ...lambdaMetric('DestinationDeliveryFailures', { Ref: id }), Stat: 'Sum' };
  return [{ ...waiting, Stat: 'Maximum' }, lost];
}

/** A metric of the table itself, or of one of its indexes. */
function throttleEvents(MetricName: string, index?: string) {
  const ofTable = { Name: 'TableName', Value: expect.anything() };
  const ofIndex = { Name: 'GlobalSecondaryIndexName', Value: index };
  return { MetricName, Dimensions: index ? [ofIndex, ofTable] : [ofTable] };
}
const throttled = [
  throttleEvents('ReadThrottleEvents'),
  throttleEvents('WriteAccountLimitThrottleEvents'),
  throttleEvents('ReadThrottleEvents', 'due'),
  throttleEvents('WriteThrottleEvents', 'due'),
  throttleEvents('ReadThrottleEvents', 'listed'),
  throttleEvents('WriteThrottleEvents', 'listed'),
];

const refusedByGateway = { Namespace: 'partner-integration-prod', MetricName: 'RefusedByGateway' };
const bytes = { Namespace: 'AWS/ApiGateway', MetricName: 'DataProcessed', ...everyRoute, Stat: 'Sum' };

// Periods are five minutes, where a metric names no other.
it.each<[id: string, sign: '>=' | '<', threshold: number, periods: number, metrics?: object[]]>([
  ['ProcessSyncErrors', '>=', 5, 2, processSyncFails],
  ['SweepDueMissing', '<', 3, 2, [{ MetricName: 'OldestDueSeconds', Stat: 'SampleCount' }]],
  ['EndpointDisabled', '>=', 1, 1, [ownMetric('EndpointsDisabled')]],
  ['RowsParked', '>=', 1, 1, [ownMetric('Parked')]],
  ['ServerErrors', '>=', 1, 2, [everyRoute, ...failed]],
  ['RequestsFailing', '>=', 5, 1, failed.map((metric) => ({ ...metric, Period: 21_600 }))],
  ['ConsoleFilesMissing', '>=', 10, 2, filesNotServed],
  ['DispatchMessagesLate', '>=', 300_000, 2, recordAge('DispatchMessages')],
  ['FanOutStatesLate', '>=', 300_000, 2, recordAge('FanOutStates')],
  ['DispatchMessagesDlqNotEmpty', '>=', 1, 1, givenUp('DispatchMessages')],
  ['FanOutStatesDlqNotEmpty', '>=', 1, 1, givenUp('FanOutStates')],
  ['ManyBytes', '>=', 10_000_000_000, 1, [{ ...bytes, Period: 3_600 }]],
  ['FarTooManyBytes', '>=', 100_000_000_000, 1, [{ ...bytes, Period: 3_600 }]],
  ['RefusedByGateway', '>=', 10, 1, [refusedByGateway]],
  ['OverBudget', '>=', 100, 1, [{ ...ownMetric('OverBudget'), Period: 900 }]],
  ['CallbackRetriesLate', '>=', 900, 2],
  ['ManyCircuitsOpen', '>=', 10, 2],
  ['TableThrottled', '>=', 10, 2, throttled],
  ['ReceiptsParked', '>=', 100, 1],
  ['CredentialsRefused', '>=', 100, 1],
])('%s goes off at %s %d in %d periods', (id, sign, Threshold, EvaluationPeriods, metrics) => {
  const than = { '>=': 'GreaterThanOrEqualToThreshold', '<': 'LessThanThreshold' }[sign];
  expect(alarms.find((alarm) => alarm.id === id)).toMatchObject({
    Threshold,
    EvaluationPeriods,
    ComparisonOperator: than,
  });
  if (metrics) expect(metricsOf(id)).toMatchObject(metrics.map((metric) => ({ Period: 300, ...metric })));
});

it('a dead-letter queue is watched by what waits in it, and where a function empties it by what is received', () => {
  const dlqs = notifying.filter(({ id }) => id.endsWith('DlqNotEmpty'));
  const received = dlqs.filter(({ MetricName }) => MetricName === 'NumberOfMessagesReceived');
  const waiting = dlqs.filter(({ id }) =>
    JSON.stringify(metricsOf(id)).includes('"ApproximateNumberOfMessagesVisible"'),
  );
  expect(received.map(({ id }) => id)).toEqual(['PlacesSyncDlqNotEmpty']);
  expect(waiting).toHaveLength(7);
});

it('a callback may wait in its queue for the longest delay, 15 minutes, without an alarm', () => {
  const thresholds = notifying
    .filter(({ MetricName }) => MetricName === 'ApproximateAgeOfOldestMessage')
    .map(({ id, Threshold }) => [id, Threshold]);
  expect(Object.fromEntries(thresholds)).toEqual({
    CallbacksLate: 1_500,
    DeadlinesLate: 300,
    DeliveryReceiptsLate: 600,
    PlacesSyncDlqLate: 900,
    PlacesSyncLate: 600,
    PushCancellationsLate: 600,
    PushOutboxLate: 600,
    SlowCallbacksLate: 3_600,
  });
});

it('5xx page from five and one percent on, on whatever route but those of the console, which only leave a notice', () => {
  const { Metrics } = alarms.find(({ id }) => id === 'ServerErrors') ?? {};
  expect(Metrics.flatMap(({ Expression }: { Expression?: string }) => Expression ?? [])).toEqual([
    'IF(failed - excluded >= 5, 100 * (failed - excluded) / requests, 0)',
    'FILL(excluded0, 0) + FILL(excluded1, 0) + FILL(excluded2, 0) + FILL(excluded3, 0)',
  ]);
  expect(resource(all, 'AWS::CloudWatch::Alarm', 'RequestsFailing').Metrics[0].Expression).toBe(
    'failed - excluded',
  );
  const paging = alarms.filter(({ AlarmActions }) => JSON.stringify(AlarmActions)?.includes('"Alarms"'));
  const counting = paging.filter(({ id }) => JSON.stringify(metricsOf(id)).includes('ServeConsole'));
  expect(counting.map(({ id }) => id)).toEqual(['ServerErrors']);
});
