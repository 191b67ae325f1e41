import { readFileSync } from 'node:fs';
import { Stack } from 'aws-cdk-lib';
import { expect, it } from 'vitest';
import { type Stage, stages } from '../../infra/config.ts';
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

/** Returns which measures protect the data of a stage, in the order of the page's table. */
function protectionsOf(stage: Stage): boolean[] {
  const stacks = appOf(stage).app.node.children.filter((child) => child instanceof Stack);
  const template = templatesOf(stage).data;
  const table = template.findResources('AWS::DynamoDB::Table')['Table'];
  const key = template.findResources('AWS::KMS::Key')['TableKey'];
  const logs = Object.values(templatesOf(stage).all.findResources('AWS::Logs::LogGroup'));
  const stay = (resources: (Record<string, unknown> | undefined)[], policy: string) =>
    resources.every((resource) => resource?.['DeletionPolicy'] === policy);
  return [
    stacks.every(({ terminationProtection }) => terminationProtection),
    table?.['Properties'].DeletionProtectionEnabled,
    stay([table, ...(key ? [key] : [])], 'Retain'),
    // Log groups stay unless their stack fails while it is created.
    stay(logs, 'RetainExceptOnCreate'),
    key?.['Properties'].EnableKeyRotation ?? false,
    table?.['Properties'].PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled,
  ];
}

it.each(stages)('the page lists what protects the data of %s', (stage) => {
  const column = stages.indexOf(stage) + 1;
  const listed = tableWith('| `dev`').map((cells) => cells[column]);
  expect(listed).toEqual(protectionsOf(stage).map((isOn) => (isOn ? 'yes' : 'no')));
});
