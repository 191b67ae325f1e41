import { Aws, Duration } from 'aws-cdk-lib';
import { AlarmBase, AlarmStatusWidget, Dashboard, type IAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import { burnRate, objectivesOf } from '../objectives.ts';
import { sandboxIds } from '../sandbox.ts';
import { selfServiceIds } from '../self-service.ts';
import type { HttpService } from '../service.ts';
import { linesIn, rolesIn } from './lines.ts';
import {
  background,
  callbacks,
  places,
  push,
  requests,
  selfService,
  simulatedWallet,
  table,
} from './parts.ts';
import { type Part, widgetsOf } from './widgets.ts';

/**
 * The dashboard for the engineer on call: alarms first, then requests, then each area from entry to end. Call it last:
 * it shows the functions, queues and alarms that the stack has by then. Returns its URL.
 */
export function addDashboard(service: HttpService): string {
  const { stack, config } = service;
  // Names of dashboards are global too: a stage may run in several regions of one account.
  const name = `${config.namePrefix}-${Aws.REGION}`;
  const dashboard = new Dashboard(stack, 'Dashboard', {
    dashboardName: name,
    defaultInterval: Duration.hours(3),
  });
  const lines = linesIn(service, [...selfServiceIds, ...sandboxIds, 'ServeConsole']);
  const roles = rolesIn(service);
  dashboard.addWidgets(
    new AlarmStatusWidget({ title: 'Alarms', alarms: alarmsIn(service), width: 24, height: 4 }),
  );
  const parts: Part[] = [
    errorBudgets(service),
    gateway(service),
    requests(lines, roles),
    selfService(lines, [...selfServiceIds, 'ServeConsole']),
    places(lines),
    push(lines),
    callbacks(lines),
    ...(config.wallet === 'simulated' ? [simulatedWallet(lines, sandboxIds)] : []),
    background(lines, roles),
    table(service),
  ];
  for (const row of parts.flatMap(widgetsOf)) dashboard.addWidgets(...row);
  return `https://${Aws.REGION}.console.aws.amazon.com/cloudwatch/home?region=${Aws.REGION}#dashboards/dashboard/${name}`;
}

function gateway({ gateway: { api } }: HttpService): Part {
  return {
    headline: 'Requests',
    graphs: {
      'Requests, 4xx, 5xx': [
        api.metricCount({ label: 'requests' }),
        api.metricClientError({ label: '4xx' }),
        api.metricServerError({ label: '5xx' }),
      ],
      'Latency, ms': ['p50', 'p90', 'p99'].map((statistic) =>
        api.metricLatency({ statistic, label: statistic }),
      ),
      'Latency with and without the gateway, p50, ms': [
        api.metricLatency({ statistic: 'p50', label: 'with the gateway, p50' }),
        api.metricIntegrationLatency({ statistic: 'p50', label: 'in functions, p50' }),
      ],
    },
  };
}

function errorBudgets(service: HttpService): Part {
  const lines = objectivesOf(service).map((objective) =>
    burnRate(objective).with({ period: Duration.hours(1), label: objective.id }),
  );
  const graphs = { 'Burn rate of error budgets over an hour, times what is allowed': lines };
  return { headline: 'Objectives', graphs };
}

function alarmsIn({ stack }: HttpService): IAlarm[] {
  return stack.node.children.filter((child) => child instanceof AlarmBase);
}
