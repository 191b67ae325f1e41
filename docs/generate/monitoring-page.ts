/**
 * The page docs/monitoring.md, made from a synthesized template: what the dashboard shows and when each alarm goes
 * off. Nothing here knows a name or a number of its own.
 */

type Resource = { Type: string; Properties: Record<string, unknown> };
export type TemplateJson = { Resources: Record<string, Resource> };

type AlarmMetric = { Label?: string; Expression?: string; ReturnData?: boolean; Period?: number };
type AlarmProperties = {
  AlarmDescription: string;
  Threshold: number;
  EvaluationPeriods: number;
  DatapointsToAlarm?: number;
  Period?: number;
  Statistic?: string;
  ExtendedStatistic?: string;
  MetricName?: string;
  ComparisonOperator: string;
  TreatMissingData: string;
  AlarmActions?: unknown[];
  Metrics?: (AlarmMetric & { MetricStat?: { Period: number } })[];
};

export function monitoringPage(template: TemplateJson): string {
  return `# Monitoring

This page is made from the template of the stage \`prod\` (\`npm run docs\`). What to do about an alarm is in the
[runbook](runbook.md), under the heading that the alarm's description names.

## Dashboard

The stack's output \`DashboardUrl\` leads to it. From top to bottom, and left to right:

${dashboardTable(template)}

## Alarms

They report to the topic \`partner-integration-<stage>-alarms\`, when they go off and when they are over.

${alarmTable(template)}

These wake nobody. While a deployment shifts the calls of a function to its new version, its alarm takes them back:

${silentAlarms(template)}
`;
}

function ofType<Properties>(template: TemplateJson, type: string): [string, Properties][] {
  return Object.entries(template.Resources)
    .filter(([, { Type }]) => Type === type)
    .map(([id, resource]) => [id, resource.Properties as Properties]);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

export type Widget = {
  type: string;
  properties: { title?: string; markdown?: string; metrics?: unknown[][]; alarms?: unknown[] };
};

/** What the dashboard consists of, in its order. */
export function dashboardWidgets(template: TemplateJson): Widget[] {
  const [dashboard] = ofType<{ DashboardBody: unknown }>(template, 'AWS::CloudWatch::Dashboard');
  if (!dashboard) throw new Error('The template has no dashboard.');
  return JSON.parse(textOf(dashboard[1].DashboardBody)).widgets;
}

function dashboardTable(template: TemplateJson): string {
  const rows: string[][] = [];
  let section = '';
  for (const { type, properties } of dashboardWidgets(template)) {
    if (type === 'text') section = (properties.markdown ?? '').replace(/^#+ /, '').split('\n')[0] ?? '';
    else rows.push([section, properties.title ?? '', linesOf(properties.metrics ?? []).join('; ')]);
  }
  return table(['Part', 'Widget', 'Lines'], rows);
}

/** The text of a CloudFormation join; what is only known in AWS stays a placeholder. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const join = (value as { 'Fn::Join'?: [string, unknown[]] })['Fn::Join'];
  return join ? join[1].map(textOf).join(join[0]) : '<in AWS>';
}

const mostLines = 8;

/** The label of each metric that is drawn: the last element of its array says how. */
function linesOf(metrics: unknown[][]): string[] {
  const drawn = metrics
    .map((metric) => ({ metric, how: metric.at(-1) as { label?: string; visible?: boolean } }))
    .filter(({ how }) => how.visible !== false);
  const labels = drawn.map(({ metric, how }) => how.label ?? String(metric[1]));
  return labels.length > mostLines ? [`one line for each of ${labels.length}`] : labels;
}

function alarmTable(template: TemplateJson): string {
  return table(
    ['Alarm', 'Goes off', 'Impact'],
    ofType<AlarmProperties>(template, 'AWS::CloudWatch::Alarm')
      .filter(([, { AlarmActions }]) => AlarmActions)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([id, alarm]) => [`\`${id}\``, whenOf(alarm), impactOf(alarm)]),
  );
}

/** Alarms that are there for machines: one for each function, all alike but for its name. */
function silentAlarms(template: TemplateJson): string {
  const silent = ofType<AlarmProperties>(template, 'AWS::CloudWatch::Alarm')
    .filter(([, { AlarmActions }]) => !AlarmActions)
    .map(([id, alarm]) => ({ id, when: whenOf(alarm) }));
  const rules = new Set(silent.map(({ when }) => when));
  return [...rules]
    .map(
      (rule) =>
        `- ${silent
          .filter(({ when }) => when === rule)
          .map(({ id }) => `\`${id}\``)
          .join(', ')}: ${rule}`,
    )
    .join('\n');
}

function impactOf({ AlarmDescription }: AlarmProperties): string {
  return AlarmDescription.split(' Runbook:')[0] ?? '';
}

const signs: Record<string, string> = {
  GreaterThanOrEqualToThreshold: 'at least',
  LessThanThreshold: 'below',
};

const missing: Record<string, string> = { notBreaching: '', breaching: ', or no data' };

function whenOf(alarm: AlarmProperties): string {
  const { Threshold, EvaluationPeriods: periods, ComparisonOperator, TreatMissingData } = alarm;
  const sign = signs[ComparisonOperator];
  const silence = missing[TreatMissingData];
  if (sign === undefined || silence === undefined) throw new Error(`No words for ${JSON.stringify(alarm)}.`);
  const minutes =
    (alarm.Period ?? alarm.Metrics?.find(({ MetricStat }) => MetricStat)?.MetricStat?.Period ?? 0) / 60;
  const bad = alarm.DatapointsToAlarm ?? periods;
  const share = bad === periods ? `each of ${periods}` : `${bad} of ${periods}`;
  const span = periods === 1 ? `${minutes} min` : `${share} periods of ${minutes} min`;
  return `${whatOf(alarm)} ${sign} ${Threshold.toLocaleString('en')} in ${span}${silence}`;
}

function whatOf({ Metrics, MetricName, Statistic, ExtendedStatistic }: AlarmProperties): string {
  const returned = Metrics?.find(({ ReturnData }) => ReturnData !== false);
  return returned?.Label ?? returned?.Expression ?? `${MetricName} (${Statistic ?? ExtendedStatistic})`;
}
