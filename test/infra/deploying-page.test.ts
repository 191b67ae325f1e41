import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { appOf, templatesOf } from './synthesize.ts';

const page = readFileSync('docs/deploying.md', 'utf8');

it('the page names all stacks in the order in which they are deployed', () => {
  const named = [...page.matchAll(/^\d\. `([\w-]+)`/gm)].map(
    ([, name]) => `partner-integration-sandbox-${name}`,
  );
  const { stacks: inOrder } = appOf('sandbox').app.synth();
  expect(named).toEqual(inOrder.map(({ stackName }) => stackName));
});

it('the test alarms of the page are there: one pages, one is a notice', () => {
  const names = /for ALARM in ([^;]+); do/.exec(page)?.[1]?.split(' ') ?? [];
  const alarms = templatesOf('staging').service.findResources('AWS::CloudWatch::Alarm');
  const notified = names.map((name) => [
    alarms[name]?.['Properties'].AlarmName,
    alarms[name]?.['Properties'].AlarmActions,
  ]);
  expect(notified).toEqual([
    ['partner-integration-staging-ServerErrors', [{ Ref: 'Alarms' }]],
    ['partner-integration-staging-EndpointDisabled', [{ Ref: 'Notices' }]],
  ]);
});
