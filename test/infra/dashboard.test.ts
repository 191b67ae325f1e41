import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { dashboardWidgets, monitoringPage, type TemplateJson } from '../../docs/generate/monitoring-page.ts';
import { metricUnits } from '../../shared/platform/logging/metric-names.ts';
import { functionIds } from './permissions.ts';
import { templatesOf } from './synthesize.ts';

const template = templatesOf('prod').service.toJSON() as TemplateJson;
const widgets = dashboardWidgets(template);

/** The labels and names on the dashboard of a stage. */
function drawnIn(stage: 'prod' | 'sandbox'): string {
  const all = dashboardWidgets(templatesOf(stage).service.toJSON() as TemplateJson);
  return JSON.stringify(all.map(({ properties }) => properties.metrics));
}

it('the dashboard shows every metric that the functions emit', () => {
  const drawn = drawnIn('sandbox');
  const missing = Object.keys(metricUnits).filter((name) => !drawn.includes(`"${name}"`));
  expect(missing).toEqual([]);
});

it.each(['prod', 'sandbox'] as const)('the dashboard of %s shows every function and every queue', (stage) => {
  const drawn = drawnIn(stage);
  const functions = functionIds(templatesOf(stage).all);
  const queues = Object.keys(templatesOf(stage).service.findResources('AWS::SQS::Queue'));
  expect(functions.filter((id) => !drawn.includes(`"label":"${id}`) && id !== 'AuthorizePartner')).toEqual(
    [],
  );
  expect(queues.filter((id) => !drawn.includes(`"label":"${id}`))).toEqual([]);
});

it('the dashboard begins with the state of every alarm', () => {
  const [first] = widgets;
  const { service } = templatesOf('prod');
  const alarms = Object.keys(service.findResources('AWS::CloudWatch::Alarm'));
  expect(first).toMatchObject({ type: 'alarm', properties: { title: 'Alarms' } });
  expect(first?.properties.alarms).toHaveLength(alarms.length);
});

it('docs/monitoring.md is what the template says today (npm run docs writes it)', () => {
  expect(readFileSync('docs/monitoring.md', 'utf8')).toBe(monitoringPage(template));
});
