/**
 * The page docs/monitoring.md, made from a synthesized template: what the dashboard shows and when each alarm goes
 * off. Nothing here knows a name or a number of its own.
 */

type Resource = { Type: string; Properties: Record<string, unknown> };
export type TemplateJson = { Resources: Record<string, Resource> };

type AlarmMetric = { Label?: string; Expression?: string; ReturnData?: boolean; Period?: number };
type AlarmProperties = {
  AlarmDescription: string;
  AlarmActions?: { Ref?: string }[];
  Threshold: number;
  EvaluationPeriods: number;
  DatapointsToAlarm?: number;
  Period?: number;
  Statistic?: string;
  ExtendedStatistic?: string;
  MetricName?: string;
  ComparisonOperator: string;
  TreatMissingData: string;
  Metrics?: (AlarmMetric & { MetricStat?: { Period: number } })[];
};

export function monitoringPage(template: TemplateJson): string {
  return `# Monitoring

For operators: what the dashboard shows, and when each alarm goes off.
\`npm run docs\` writes this page from the template of the stage \`prod\`.

## Dashboard

The stack's output \`DashboardUrl\` is its address. From top to bottom:

${dashboardParts(template)}

## Alarms

They notify the topic \`partner-integration-<stage>-alarms\`, when they go off and when they are over.
Each links to what it means and what to do.

${notifyingAlarms(template, 'Alarms')}

Notices can wait until the next working day. They notify \`partner-integration-<stage>-notices\`, when they go off:

${notifyingAlarms(template, 'Notices')}

During a deployment, CodeDeploy watches one more alarm and [rolls back](runbook.md#deployment-rolled-back) when it goes off; it notifies nobody:

${rollbackRule(template)}
`;
}

function ofType<Properties>(template: TemplateJson, type: string): [string, Properties][] {
  return Object.entries(template.Resources)
    .filter(([, { Type }]) => Type === type)
    .map(([id, resource]) => [id, resource.Properties as Properties]);
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

function dashboardParts(template: TemplateJson): string {
  const parts = new Map<string, string[]>();
  let part = 'State';
  for (const { type, properties } of dashboardWidgets(template)) {
    if (type === 'text') part = (properties.markdown ?? '').replace(/^#+ /, '').split('\n')[0] ?? '';
    else parts.set(part, [...(parts.get(part) ?? []), properties.title ?? '']);
  }
  return list(parts);
}

/** One line for each key, with its values. */
function list(groups: Map<string, string[]>): string {
  return [...groups].map(([name, values]) => `- **${name}:** ${values.join('; ')}`).join('\n');
}

/** The text of a CloudFormation join; what is only known in AWS stays a placeholder. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const join = (value as { 'Fn::Join'?: [string, unknown[]] })['Fn::Join'];
  return join ? join[1].map(textOf).join(join[0]) : '<in AWS>';
}

function notifyingAlarms(template: TemplateJson, topic: 'Alarms' | 'Notices'): string {
  const byRule = new Map<string, string[]>();
  const notifying = alarms(template).filter(([, { AlarmActions }]) => AlarmActions?.[0]?.Ref === topic);
  for (const [id, alarm] of notifying) {
    const [, heading] = alarm.AlarmDescription.split('#');
    const rule = whenOf(alarm);
    byRule.set(rule, [...(byRule.get(rule) ?? []), `[${id}](runbook.md#${heading})`]);
  }
  return list(byRule);
}

function rollbackRule(template: TemplateJson): string {
  const silent = alarms(template).filter(([id]) => id === 'Rollback');
  return silent.map(([, alarm]) => `- ${whenOf(alarm)}`).join('\n');
}

function alarms(template: TemplateJson): [string, AlarmProperties][] {
  return ofType<AlarmProperties>(template, 'AWS::CloudWatch::Alarm').sort(([a], [b]) => (a < b ? -1 : 1));
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
