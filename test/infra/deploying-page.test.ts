import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Stage } from '../../infra/config.ts';
import { appOf, templatesOf } from './synthesize.ts';

const page = readFileSync('docs/deploying.md', 'utf8');

/** Returns the cells of the table whose head begins with these words. */
function tableWith(head: string): string[][] {
  const lines = page
    .slice(page.indexOf(`\n| ${head}`))
    .trimStart()
    .split('\n');
  const rows = lines.slice(
    2,
    lines.findIndex((line) => !line.startsWith('|')),
  );
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

it('the page names all stacks in the order in which they are deployed', () => {
  const named = [...page.matchAll(/^\d\. `([\w-]+)`/gm)].map(
    ([, name]) => `partner-integration-sandbox-${name}`,
  );
  const { stacks: inOrder } = appOf('sandbox').app.synth();
  expect(named).toEqual(inOrder.map(({ stackName }) => stackName));
});

it('the page names every application of CodeDeploy, and how it shifts calls', () => {
  const applicationsOf = (stage: Stage) =>
    Object.values(templatesOf(stage)).flatMap((template) =>
      Object.values(template.findResources('AWS::CodeDeploy::Application')).map(
        ({ Properties }): string => Properties.ApplicationName,
      ),
    );
  const named = tableWith('Application').map(([name = '', , inProd]) => [name.replaceAll('`', ''), inProd]);
  const inProd = 'a tenth of the calls for 5 minutes, then all';
  expect(named).toEqual([
    ['partner-integration-<stage>', inProd],
    ['partner-integration-<stage>-self-service', 'the same, after `service`'],
    ['partner-integration-sandbox-sandbox', 'not there'],
  ]);
  for (const stage of ['sandbox', 'staging', 'prod'] as const) {
    const expected = named.map(([name = '']) => name.replace('<stage>', stage));
    const own = expected.filter((name) => name.startsWith(`partner-integration-${stage}`));
    expect([...new Set(applicationsOf(stage))].sort()).toEqual(own.sort());
  }
  expect(applicationsOf('dev')).toEqual([]);
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
