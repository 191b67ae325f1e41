import { expect, it } from 'vitest';
import { burnRates } from '../../infra/objectives.ts';
import { metricUnits } from '../../shared/platform/logging/metric-names.ts';
import { evaluate } from './cloudwatch.ts';
import { functionIds } from './permissions.ts';
import { resource, templatesOf } from './synthesize.ts';

const { service } = templatesOf('prod');

type Metric = { MetricName: string; Namespace: string; Dimensions?: { Name: string; Value: unknown }[] };
type Query = {
  Id: string;
  Expression?: string;
  MetricStat?: { Metric: Metric; Stat: string; Period: number };
};

function windowOf(id: string) {
  const { Metrics, Threshold, EvaluationPeriods, TreatMissingData, ComparisonOperator } = resource(
    service,
    'AWS::CloudWatch::Alarm',
    id,
  );
  expect({ EvaluationPeriods, TreatMissingData, ComparisonOperator }).toEqual({
    EvaluationPeriods: 1,
    TreatMissingData: 'notBreaching',
    ComparisonOperator: 'GreaterThanOrEqualToThreshold',
  });
  const queries = Metrics as Query[];
  return {
    queries,
    threshold: Threshold as number,
    stats: queries.flatMap(({ MetricStat }) => MetricStat ?? []),
  };
}

/** Returns a short name of a metric, such as `Failed of SendBulk, Sum`. */
function nameOf({ Metric: { MetricName, Dimensions }, Stat }: NonNullable<Query['MetricStat']>) {
  const values = Object.fromEntries((Dimensions ?? []).map(({ Name, Value }) => [Name, Value]));
  if (Dimensions === undefined) return MetricName;
  const of = values['function'] ?? (values['FunctionName'] as { Ref: string } | undefined)?.Ref;
  return `${MetricName} of ${of ?? `${values['Method']} ${values['Resource']}`}, ${Stat}`;
}

/** Values of metrics in a window, by their names. A metric that is missing has no data. */
type Data = Record<string, number>;

/** Evaluates a window's alarm. */
function rateOf(id: string, data: Data): number {
  const scope: Record<string, unknown> = {};
  const { queries } = windowOf(id);
  const known = new Set(queries.map((query) => query.MetricStat && nameOf(query.MetricStat)));
  for (const name of Object.keys(data)) expect(known, id).toContain(name);
  for (const query of queries) if (query.MetricStat) scope[query.Id] = data[nameOf(query.MetricStat)];
  // Expressions come before the ones they depend on in the template, so they are evaluated in reverse.
  for (const { Id, Expression } of queries.toReversed())
    if (Expression) scope[Id] = evaluate(Expression, scope);
  return scope[queries[0]?.Id ?? ''] as number;
}

/** Returns the alarms of an objective that are on. `byMinutes` has the data of each window by its length. */
function alarmsOn(objective: string, byMinutes: Record<number, Data>): string[] {
  return burnRates
    .filter(({ id, minutes }) => {
      const alarm = `${objective}Budget${id}`;
      return rateOf(alarm, byMinutes[minutes] ?? {}) >= windowOf(alarm).threshold;
    })
    .map(({ id }) => id);
}

const list = 'GET /partner/api/place/{placeId}/checkins';
const redeem = 'POST /partner/api/checkin/register';

function cashDesk(requests: number, failed: number, slow = 0): Data {
  return {
    [`Count of ${list}, SampleCount`]: requests,
    ...(failed > 0 ? { [`5xx of ${list}, Sum`]: failed } : {}),
    ...(slow > 0 ? { [`Latency of ${list}, TC(2000:)`]: slow } : {}),
  };
}

const sent = { 'Invocations of SendBulk, Sum': 1_000 };

function attempts(total: number, late: number): Data {
  return {
    'FirstAttemptSeconds of DeliverCallback, SampleCount': total,
    'FirstAttemptSeconds of DeliverCallback, TC(30:)': late,
  };
}

it.each<[what: string, objective: string, byMinutes: Record<number, Data>, on: string[]]>([
  ['an hour at 1.44 % is 14.4 times too fast', 'CashDesk', { 60: cashDesk(10_000, 144) }, ['Fast']],
  ['an hour at 1.43 % is not', 'CashDesk', { 60: cashDesk(10_000, 143) }, []],
  ['six hours at 0.602 % are 6 times too fast', 'CashDesk', { 360: cashDesk(50_000, 301) }, ['Slow']],
  ['one failure of three requests pages nobody', 'CashDesk', { 60: cashDesk(3, 1) }, []],
  ['five failures of five page', 'CashDesk', { 60: cashDesk(5, 5) }, ['Fast']],
  ['slow requests count as failed ones', 'CashDesk', { 60: cashDesk(1_000, 8, 7) }, ['Fast']],
  ['no data pages nobody', 'CashDesk', {}, []],
  [
    'rule 48: tills that the gateway refuses count',
    'CashDesk',
    { 60: { ...cashDesk(1_000, 8), TillsRefused: 7 } },
    ['Fast'],
  ],
  ['rule 48: sends that the gateway refuses count', 'Push', { 60: { ...sent, SendsRefused: 15 } }, ['Fast']],
  [
    'sends count by the functions: crashes of one',
    'Push',
    { 60: { ...sent, 'Errors of SendBulk, Sum': 15 } },
    ['Fast'],
  ],
  ['a crash less does not page', 'Push', { 60: { ...sent, 'Errors of SendBulk, Sum': 14 } }, []],
  ['our failures of another count', 'Push', { 60: { ...sent, 'Failed of SendMulti, Sum': 15 } }, ['Fast']],
  ['14.4 % that start later than 30 s page', 'Callback', { 60: attempts(10_000, 1_440) }, ['Fast']],
  ['14 % do not', 'Callback', { 60: attempts(10_000, 1_400) }, []],
  [
    'what crashes before it measures pages',
    'Callback',
    { 60: { 'Errors of DeliverCallback, Sum': 20 } },
    ['Fast'],
  ],
])('%s (%s)', (_what, objective, byMinutes, on) => {
  expect(alarmsOn(objective, byMinutes)).toEqual(on);
});

const ids = ['CashDesk', 'Push', 'Callback'].flatMap((objective) =>
  burnRates.map(({ id }) => `${objective}Budget${id}`),
);

it('both alarms on a budget have the same metrics, each in the window of its rate, and stay within what one takes: ten metrics, a day', () => {
  expect(
    Object.keys(service.findResources('AWS::CloudWatch::Alarm'))
      .filter((id) => /Budget(Fast|Slow)$/.test(id))
      .sort(),
  ).toEqual(ids.sort());
  for (const id of ids) {
    const { stats } = windowOf(id);
    expect(stats.length, id).toBeLessThanOrEqual(10);
    expect(stats.map(nameOf), id).toEqual(windowOf(id.replace('Slow', 'Fast')).stats.map(nameOf));
    expect([...new Set(stats.map(({ Period }) => Period))], id).toEqual([
      id.endsWith('Fast') ? 3_600 : 21_600,
    ]);
  }
});

it('every metric of an objective is one that the service has: of its functions, its code, its measured routes', () => {
  const stage = resource(service, 'AWS::ApiGatewayV2::Stage', 'ApiStage');
  const functions = functionIds(service);
  for (const { Metric } of ids.flatMap((id) => windowOf(id).stats)) {
    if (Metric.Namespace === 'partner-integration-prod') {
      expect(JSON.stringify(service.findResources('AWS::Logs::MetricFilter'))).toContain(Metric.MetricName);
      continue;
    }
    const dimensions = Object.fromEntries((Metric.Dimensions ?? []).map(({ Name, Value }) => [Name, Value]));
    const { Method, Resource, ...others } = dimensions;
    if (Metric.Namespace === 'AWS/ApiGateway') {
      expect(others).toEqual({ ApiId: { Ref: 'Api' }, Stage: stage.StageName });
      expect(stage.RouteSettings[`${Method} ${Resource}`].DetailedMetricsEnabled).toBe(true);
      expect(['Count', '5xx', 'Latency']).toContain(Metric.MetricName);
    } else if (Metric.Namespace === 'AWS/Lambda') {
      expect(functions).toContain((dimensions['FunctionName'] as { Ref: string }).Ref);
      expect(['Invocations', 'Errors']).toContain(Metric.MetricName);
    } else {
      expect(Metric.Namespace).toBe('PartnerIntegration');
      expect(Object.keys(metricUnits)).toContain(Metric.MetricName);
      expect(dimensions).toEqual({ service: 'partner-integration-prod', function: expect.any(String) });
      expect(functions).toContain(dimensions['function']);
    }
  }
  expect([list, redeem].sort()).toEqual(
    Object.keys(stage.RouteSettings)
      .filter((route) => stage.RouteSettings[route].DetailedMetricsEnabled)
      .sort(),
  );
});
