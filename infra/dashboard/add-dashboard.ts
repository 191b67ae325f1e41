import { Aws, Duration } from 'aws-cdk-lib';
import {
  Alarm,
  AlarmBase,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import { sandboxAlarms } from '../sandbox.ts';
import type { HttpService } from '../service.ts';
import { dashboardParts, type Graphs } from './parts.ts';

/**
 * The dashboard for the engineer on call: alarms first, then its parts. Call it last: it shows the functions, queues
 * and alarms that the stack has by then. Returns its URL.
 */
export function addDashboard(service: HttpService): string {
  const { stack, config } = service;
  // Names of dashboards are global too: a stage may run in several regions of one account.
  const name = `${config.namePrefix}-${Aws.REGION}`;
  const dashboard = new Dashboard(stack, 'Dashboard', {
    dashboardName: name,
    defaultInterval: Duration.hours(3),
  });
  const own = stack.node.children.filter((child) => child instanceof AlarmBase);
  const others = (config.wallet === 'simulated' ? sandboxAlarms : []).map((id) =>
    Alarm.fromAlarmName(stack, `${id}ByName`, `${config.namePrefix}-${id}`),
  );
  const alarms = [...own, ...others];
  dashboard.addWidgets(new AlarmStatusWidget({ title: 'Alarms', alarms, width: 24, height: 4 }));
  for (const [headline, graphs] of Object.entries(dashboardParts(service)))
    addPart(dashboard, headline, graphs);
  return `https://${Aws.REGION}.console.aws.amazon.com/cloudwatch/home?region=${Aws.REGION}#dashboards/dashboard/${name}`;
}

/** A dashboard is 24 units wide, which three graphs share. */
function addPart(dashboard: Dashboard, headline: string, graphs: Graphs): void {
  const widgets = Object.entries(graphs).map(
    ([title, lines]) =>
      new GraphWidget({
        title,
        left: [...lines],
        leftYAxis: { min: 0, showUnits: false },
        period: Duration.minutes(1),
        width: 8,
        height: 6,
      }),
  );
  dashboard.addWidgets(new TextWidget({ markdown: `## ${headline}`, width: 24, height: 1 }));
  while (widgets.length > 0) dashboard.addWidgets(...widgets.splice(0, 3));
}
