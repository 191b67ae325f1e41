import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { sendIds, tillIds } from './access-log.ts';
import { type AlarmMeaning, addAlarm } from './constructs/alarm.ts';
import { setRoute } from './constructs/gateway-route.ts';
import { splitRoute } from './constructs/http-function.ts';
import { failureMetrics, logMetric, serviceMetric, sumMetrics } from './constructs/metrics.ts';
import { kebabCase } from './kebab-case.ts';
import { findOperation } from './operations.ts';
import type { HttpService } from './service.ts';

/** Service level objectives over 30 days. A budget is the share that may miss its objective. */
const budgets = {
  /** The time is twice that of two cold starts in a row: the authorizer's and the function's. */
  cashDesk: { budget: 0.001, withinMs: 2_000 },
  pushes: { budget: 0.001 },
  /** The budget is larger, because a large campaign brings more states at once than can be sent in time. */
  callbacks: { budget: 0.01, withinSeconds: 30 },
} as const;

/**
 * How fast a budget is used up, as a multiple of the rate at which it lasts 30 days, and the window in which that is
 * measured: 14.4 uses 2 % of a budget in an hour, 6 uses 5 % in six hours.
 */
export const burnRates = [
  { id: 'Fast', rate: 14.4, minutes: 60 },
  { id: 'Slow', rate: 6, minutes: 360 },
] as const;

/** The rate counts as 0 in a window with fewer bad requests: at night there may be only three requests an hour. */
const burnMinimum = 5;

/** The events that an objective counts: `bad` and `total` may have ten metrics together, CloudWatch's limit. */
type Objective = AlarmMeaning & {
  id: string;
  budget: number;
  total: readonly Metric[];
  bad: readonly Metric[];
};

/** The service level objectives of docs/operations.md, each with an alarm for each rate at which its budget burns. */
export function watchObjectives(service: HttpService): void {
  const { gateway, config } = service;
  // These routes have metrics of their own: six, each with a price. Settings of a route replace those of the stage as a
  // whole, limits included.
  for (const id of tillIds) setRoute(gateway, findOperation(id).route, { ...config.route, metrics: true });
  for (const objective of listObjectives(service))
    for (const { id, rate, minutes } of burnRates)
      addAlarm(service, `${objective.id}Budget${id}`, {
        ...objective,
        runbook: kebabCase(`${objective.id}Budget`),
        metric: burnRate(objective, burnMinimum),
        threshold: rate,
        periodMinutes: minutes,
      });
}

export function listObjectives(service: HttpService): Objective[] {
  return [cashDesk(service), pushes(service), callbacks(service)];
}

/**
 * The gateway measures this, as the cash desk sees it. A request that fails slowly counts twice. The second route of
 * points whose ids have a slash runs the same function and is not counted: it would cost as much as the first.
 */
function cashDesk({ config, gateway: { api, stage } }: HttpService): Objective {
  const { budget, withinMs } = budgets.cashDesk;
  const metrics = (metricName: string, statistic: string) =>
    tillIds.map((id) => {
      const { method: Method, path: Resource } = splitRoute(findOperation(id).route);
      const dimensionsMap = { ApiId: api.apiId, Stage: stage.stageName, Method, Resource };
      return new Metric({ namespace: 'AWS/ApiGateway', metricName, statistic, dimensionsMap });
    });
  return {
    id: 'CashDesk',
    impact:
      'Cash desks get errors or wait too long as they list or redeem check-ins: loyalty cards are not applied.',
    lookAt: 'the routes of check-ins in the access log of the API',
    budget,
    total: metrics('Count', 'SampleCount'),
    bad: [
      ...metrics('5xx', 'Sum'),
      ...metrics('Latency', `TC(${withinMs}:)`),
      logMetric(config, 'TillsRefused'),
    ],
  };
}

/**
 * The functions measure this, because the gateway would count a bulk send refused with 503 as a failure. The access log
 * has what did not reach them. A send that fails after the 30 s of the gateway counts twice.
 */
function pushes(service: HttpService): Objective {
  const functions = sendIds.map((id) => service.stack.node.findChild(id) as LambdaFunction);
  return {
    id: 'Push',
    impact: 'Push messages of partners are not accepted, by our fault: partners must send them again.',
    lookAt: 'the logs of SendMessage, SendBulk and SendMulti',
    budget: budgets.pushes.budget,
    total: functions.map((fn) => fn.metricInvocations()),
    bad: [
      ...functions.flatMap((fn) => failureMetrics(service.config, fn)),
      logMetric(service.config, 'SendsRefused'),
    ],
  };
}

/** Failures count at once: their callbacks return to the queue for six minutes, and a crash emits no time to measure. */
function callbacks(service: HttpService): Objective {
  const { budget, withinSeconds } = budgets.callbacks;
  const deliver = service.stack.node.findChild('DeliverCallback') as LambdaFunction;
  const seconds = (statistic: string) =>
    serviceMetric(service.config, deliver.node.id, 'FirstAttemptSeconds', { statistic });
  return {
    id: 'Callback',
    impact:
      'Callbacks are attempted late or fail by our fault: partners learn late of delivered and opened messages.',
    lookAt: 'the log of DeliverCallback, and the age of the stream',
    budget,
    total: [seconds('SampleCount')],
    bad: [seconds(`TC(${withinSeconds}:)`), ...failureMetrics(service.config, deliver)],
  };
}

/**
 * How many times faster than allowed the budget is used up; 0 while fewer than `minimum` events are bad. If functions
 * crashed before they counted an event, more are bad than the total: then all count as bad.
 */
export function burnRate({ id, budget, ...counted }: Objective, minimum = 1): MathExpression {
  // On a dashboard the objectives share one graph, and so their names.
  const bad = `bad${id}`;
  const total = `total${id}`;
  return new MathExpression({
    label: 'burn rate',
    expression: `IF(${bad} >= ${minimum}, ${bad} / (IF(${bad} > ${total}, ${bad}, ${total}) * ${budget}), 0)`,
    usingMetrics: {
      [bad]: sumMetrics(bad, counted.bad),
      [total]: sumMetrics(total, counted.total),
    },
  });
}
