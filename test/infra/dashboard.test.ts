import { expect, it } from 'vitest';
import { metricUnits } from '../../shared/platform/logging/metric-names.ts';
import { functionIds } from './permissions.ts';
import { propertiesOf, templatesOf } from './synthesize.ts';

type Stage = 'prod' | 'sandbox';
type Widget = { type: string; properties: { title?: string; metrics?: unknown[][]; alarms?: unknown[] } };

/** Returns the widgets of a stage's dashboard in their order. */
function widgetsOf(stage: Stage): Widget[] {
  const [dashboard] = propertiesOf(templatesOf(stage).service, 'AWS::CloudWatch::Dashboard');
  return JSON.parse(textOf(dashboard.DashboardBody)).widgets;
}

/** Returns the text of a CloudFormation join. A value that is known only in AWS becomes a placeholder. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const join = (value as { 'Fn::Join'?: [string, unknown[]] })['Fn::Join'];
  return join ? join[1].map(textOf).join(join[0]) : '<in AWS>';
}

/** Returns the labels and names on the dashboard of a stage. */
function drawnIn(stage: Stage): string {
  return JSON.stringify(widgetsOf(stage).map(({ properties }) => properties.metrics));
}

it('the dashboard shows every metric that the functions emit', () => {
  const drawn = drawnIn('sandbox');
  const missing = Object.keys(metricUnits).filter((name) => !drawn.includes(`"${name}"`));
  expect(missing).toEqual([]);
});

it.each(['prod', 'sandbox'] as const)('the dashboard of %s shows every function and every queue', (stage) => {
  const drawn = drawnIn(stage);
  // More words may follow the id in a label, but no letters: another id may begin with this one.
  const isDrawn = (id: string) => new RegExp(`"label":"${id}[ "]`).test(drawn);
  const functions = functionIds(templatesOf(stage).all);
  const queues = Object.keys(templatesOf(stage).all.findResources('AWS::SQS::Queue'));
  expect(functions.filter((id) => !isDrawn(id) && id !== 'AuthorizePartner')).toEqual([]);
  expect(queues.filter((id) => !isDrawn(id))).toEqual([]);
});

it('the dashboard of the sandbox shows the alarms of its stack', () => {
  const alarms = widgetsOf('sandbox')[0]?.properties.alarms;
  const { sandbox, service } = templatesOf('sandbox');
  const names = sandbox
    ? propertiesOf(sandbox, 'AWS::CloudWatch::Alarm').map(({ AlarmName }) => AlarmName)
    : [];
  expect(names).toHaveLength(2);
  for (const name of names) expect(JSON.stringify(alarms)).toContain(`:${name}"`);
  const own = propertiesOf(service, 'AWS::CloudWatch::Alarm').length;
  expect(alarms).toHaveLength(own + names.length);
});
