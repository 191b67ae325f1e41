import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { burnRates, objectives } from '../../infra/alarm-rules.ts';
import { metricUnits } from '../../shared/platform/logging/metric-names.ts';
import { functionIds } from './permissions.ts';
import { templatesOf } from './synthesize.ts';

const { service } = templatesOf('prod');

type Metric = { MetricName: string; Namespace: string; Dimensions: { Name: string; Value: unknown }[] };
type Query = {
  Id: string;
  Expression?: string;
  MetricStat?: { Metric: Metric; Stat: string; Period: number };
};

const windows = service.findResources('AWS::CloudWatch::Alarm');

function windowOf(id: string) {
  const { Metrics, Threshold, EvaluationPeriods, TreatMissingData, ComparisonOperator } =
    windows[id]?.['Properties'] ?? {};
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

/** A metric as short as a test can name it: `Failed of SendBulk, Sum`. */
function nameOf({ Metric: { MetricName, Dimensions }, Stat }: NonNullable<Query['MetricStat']>) {
  const values = Object.fromEntries(Dimensions.map(({ Name, Value }) => [Name, Value]));
  const of = values['function'] ?? (values['FunctionName'] as { Ref: string } | undefined)?.Ref;
  return `${MetricName} of ${of ?? `${values['Method']} ${values['Resource']}`}, ${Stat}`;
}

/** What a metric says for a window, by its name; what is left out has no data. */
type Data = Record<string, number>;

/** The value of a window's alarm. CloudWatch's expressions are JavaScript's, but for two functions. */
function rateOf(id: string, data: Data): number {
  const scope: Record<string, unknown> = {
    IF: (condition: boolean, yes: number, no: number) => (condition ? yes : no),
    FILL: (value: number | undefined, otherwise: number) => value ?? otherwise,
  };
  const { queries } = windowOf(id);
  const known = new Set(queries.map((query) => query.MetricStat && nameOf(query.MetricStat)));
  for (const name of Object.keys(data)) expect(known, id).toContain(name);
  for (const query of queries) if (query.MetricStat) scope[query.Id] = data[nameOf(query.MetricStat)];
  // What the others stand on comes after them in the template.
  for (const { Id, Expression } of queries.toReversed())
    if (Expression)
      scope[Id] = new Function(...Object.keys(scope), `return ${Expression}`)(...Object.values(scope));
  return scope[queries[0]?.Id ?? ''] as number;
}

function burns(id: string, data: Data): boolean {
  return rateOf(id, data) >= windowOf(id).threshold;
}

/** Whether the alarm of an objective is on: `byMinutes` is what each of its windows holds. */
function isOn(objective: string, byMinutes: Record<number, Data>): boolean {
  const rule = service.findResources('AWS::CloudWatch::CompositeAlarm')[`${objective}Budget`]?.['Properties']
    .AlarmRule;
  const text = (rule['Fn::Join'][1] as (string | { 'Fn::GetAtt': [string, string] })[])
    .map((part) => (typeof part === 'string' ? part : part['Fn::GetAtt'][0]))
    .join('')
    .replaceAll('AND', '&&')
    .replaceAll('OR', '||');
  const ALARM = (id: string) => burns(id, byMinutes[Number(/Burn(\d+)$/.exec(id)?.[1])] ?? {});
  return new Function('ALARM', `return ${text}`)(ALARM);
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

it('an hour and its last five minutes at 1.44 % are 14.4 times too fast, and page', () => {
  const hour = { 60: cashDesk(10_000, 144), 5: cashDesk(1_000, 15) };
  expect(isOn('CashDesk', hour)).toBe(true);
  expect(isOn('CashDesk', { ...hour, 60: cashDesk(10_000, 143) })).toBe(false);
});

it('an outage that is over does not page, however bad the hour was', () => {
  expect(isOn('CashDesk', { 60: cashDesk(10_000, 2_000), 5: cashDesk(1_000, 0) })).toBe(false);
});

it('six hours and their last thirty minutes at 0.6 % are 6 times too fast, and page', () => {
  const hours = { 360: cashDesk(50_000, 301), 30: cashDesk(4_000, 25) };
  expect(isOn('CashDesk', hours)).toBe(true);
  expect(isOn('CashDesk', { ...hours, 30: cashDesk(4_000, 23) })).toBe(false);
  expect(isOn('CashDesk', { ...hours, 360: cashDesk(50_000, 299) })).toBe(false);
});

it('windows of different rates do not add up to a page', () => {
  expect(isOn('CashDesk', { 60: cashDesk(1_000, 100), 30: cashDesk(1_000, 100) })).toBe(false);
});

it('one failure of three requests pages nobody; five failures of five do', () => {
  const all = (data: Data) => ({ 5: data, 30: data, 60: data, 360: data });
  expect(isOn('CashDesk', all(cashDesk(3, 1)))).toBe(false);
  expect(isOn('CashDesk', all(cashDesk(4, 4)))).toBe(false);
  expect(isOn('CashDesk', all(cashDesk(5, 5)))).toBe(true);
});

it.each(['CashDesk', 'Push', 'Callback'])('without any data %s pages nobody', (objective) => {
  expect(isOn(objective, {})).toBe(false);
});

it('slow requests of a cash desk use the budget as failed ones do', () => {
  expect(isOn('CashDesk', { 60: cashDesk(1_000, 8, 8), 5: cashDesk(100, 0, 2) })).toBe(true);
});

it('sends count by the functions: crashes and our failures, of all three operations', () => {
  const hour: Data = {
    'Invocations of SendMessage, Sum': 8_000,
    'Invocations of SendBulk, Sum': 1_000,
    'Invocations of SendMulti, Sum': 1_000,
    'Errors of SendBulk, Sum': 100,
    'Failed of SendMulti, Sum': 44,
  };
  expect(rateOf('PushBurn60', hour)).toBeCloseTo(14.4, 9);
  expect(isOn('Push', { 60: hour, 5: hour })).toBe(true);
});

it('of callbacks 14.4 % may not start later than 30 s in an hour', () => {
  const attempts = (total: number, late: number): Data => ({
    'FirstAttemptSeconds of DeliverCallback, SampleCount': total,
    'FirstAttemptSeconds of DeliverCallback, TC(30:)': late,
  });
  expect(isOn('Callback', { 60: attempts(10_000, 1_440), 5: attempts(1_000, 200) })).toBe(true);
  expect(isOn('Callback', { 60: attempts(10_000, 1_400), 5: attempts(1_000, 200) })).toBe(false);
});

it('a function that crashes before it measures anything pages too', () => {
  const crashes = { 'Errors of DeliverCallback, Sum': 20 };
  expect(isOn('Callback', { 60: crashes, 5: crashes })).toBe(true);
});

const ids = ['CashDesk', 'Push', 'Callback'].flatMap((objective) =>
  burnRates.flatMap(({ longMinutes, shortMinutes }) =>
    [longMinutes, shortMinutes].map((n) => `${objective}Burn${n}`),
  ),
);

it('every window has its length, and stays within what one alarm takes: ten metrics, a day', () => {
  expect(
    Object.keys(windows)
      .filter((id) => /Burn\d+$/.test(id))
      .sort(),
  ).toEqual(ids.sort());
  for (const id of ids) {
    const { stats } = windowOf(id);
    expect(stats.length, id).toBeLessThanOrEqual(10);
    const seconds = Number(/\d+$/.exec(id)?.[0]) * 60;
    expect([...new Set(stats.map(({ Period }) => Period))], id).toEqual([seconds]);
    expect(seconds).toBeLessThanOrEqual(86_400);
  }
});

it('every metric of an objective is one that the service has: of its functions, its code, its measured routes', () => {
  const stage = service.findResources('AWS::ApiGatewayV2::Stage')['ApiStage']?.['Properties'];
  const functions = functionIds(service);
  for (const { Metric } of ids.flatMap((id) => windowOf(id).stats)) {
    const dimensions = Object.fromEntries(Metric.Dimensions.map(({ Name, Value }) => [Name, Value]));
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

it('docs/operations.md states the objectives and their budgets as they are', () => {
  const page = readFileSync('docs/operations.md', 'utf8');
  const { cashDesk, pushes, callbacks } = objectives;
  const shares = [cashDesk, pushes, callbacks].map(({ budget }) => [
    `${Number((100 - budget * 100).toFixed(2))} %`,
    `${Number((budget * 100).toFixed(2))} %, ${Math.round(budget * 30 * 24 * 60)} minutes`,
  ]);
  expect(shares).toEqual([
    ['99.9 %', '0.1 %, 43 minutes'],
    ['99.9 %', '0.1 %, 43 minutes'],
    ['99 %', '1 %, 432 minutes'],
  ]);
  for (const share of shares.flat()) expect(page).toContain(share);
  expect(page).toContain(`within ${cashDesk.withinMs / 1_000} s, measured at the gateway`);
  expect(page).toContain(`within ${callbacks.withinSeconds} s after their state was recorded`);
});
