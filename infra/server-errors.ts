import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { MathExpression, type Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { addAlarm } from './constructs/alarm.ts';
import { functionMetric, serviceMetric, sumMetrics } from './constructs/metrics.ts';
import type { Service } from './service.ts';

/** The percentage counts as 0 in a period with fewer failed requests, because it means nothing there. */
const serverErrorMinimum = 5;

/**
 * The alarm on failed requests, which pages, and two notices: that an operation may fail which is too rare for the alarm,
 * and that browsers did not get files of the console.
 */
export function watchServerErrors(service: Service, api: HttpApi): void {
  addAlarm(service, 'ServerErrors', {
    impact: 'Requests of partners or the wallet platform get 5xx: what they requested is not done.',
    lookAt: 'the failed requests of each operation on the dashboard',
    metric: failedPercent(service, api),
    periods: 2,
  });
  addAlarm(service, 'RequestsFailing', {
    impact: 'A few requests got 5xx: an operation that is seldom used may fail for all partners.',
    lookAt: 'the failed requests of each operation on the dashboard',
    metric: failedRequests(service, api),
    // One or two are chance; five in a quarter of a day suggest that an operation fails which is seldom used.
    threshold: 5,
    periodMinutes: 360,
    notice: true,
  });
  addAlarm(service, 'ConsoleFilesMissing', {
    impact: 'Browsers do not get files of the console: its pages stay blank. No other request is affected.',
    lookAt: 'the files of the console on the dashboard',
    metric: sumMetrics('missing', filesNotServed(service), 'files of the console not served'),
    // The page is public, so a crowd for a minute is not worth a notification.
    threshold: 10,
    periods: 2,
    notice: true,
  });
}

function failedPercent(service: Service, api: HttpApi): MathExpression {
  const { expression, usingMetrics } = failedRequests(service, api);
  return new MathExpression({
    label: 'requests with 5xx, percent',
    expression: `IF(${expression} >= ${serverErrorMinimum}, 100 * (${expression}) / requests, 0)`,
    usingMetrics: { requests: api.metricCount(), ...usingMetrics },
  });
}

/**
 * The gateway counts every 5xx of the API. Those that anybody can cause must not notify, and are subtracted: files of the
 * console that were not served, bulk sends that are too large or too fast, and on the sandbox 503 of partners' receivers, by
 * request of the partner or above their ceiling, and of places that are full of a partner's own check-ins.
 */
function failedRequests(service: Service, api: HttpApi): MathExpression {
  const excluded = [...filesNotServed(service), ...refusedAs503(service)];
  return new MathExpression({
    label: 'requests with 5xx',
    expression: 'failed - excluded',
    usingMetrics: {
      failed: api.metricServerError(),
      excluded: sumMetrics('excluded', excluded),
    },
  });
}

/** The gateway responds 503 to a throttled invocation, and 500 to one that failed. */
function filesNotServed({ config }: Service): Metric[] {
  return [
    functionMetric(config, 'ServeConsole', 'Throttles'),
    functionMetric(config, 'ServeConsole', 'Errors'),
  ];
}

function refusedAs503({ config }: Service): Metric[] {
  const receivers = config.wallet === 'real' ? [] : ['TakeSandboxCallback'];
  const ownCheckIns = config.wallet === 'real' ? [] : ['OpenSandboxCheckIn'];
  return [
    ...['SendBulk', 'SendMulti', ...ownCheckIns, ...receivers].map((id) =>
      serviceMetric(config, id, 'RefusedAs503'),
    ),
    ...receivers.map((id) => functionMetric(config, id, 'Throttles')),
  ];
}
