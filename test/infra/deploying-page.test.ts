import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type Stage, stages } from '../../infra/config.ts';
import { appOf, propertiesOf, templatesOf } from './synthesize.ts';

const page = readFileSync('docs/deploying.md', 'utf8');

it('the page names all stacks in the order in which they are deployed', () => {
  const named = [...page.matchAll(/^\d\. `([\w-]+)`/gm)].map(
    ([, name]) => `partner-integration-sandbox-${name}`,
  );
  expect(named).toEqual(
    appOf('sandbox')
      .app.synth()
      .stacks.map(({ stackName }) => stackName),
  );
});

it('the page names every application of CodeDeploy', () => {
  const named = [...page.matchAll(/^\| `(partner-integration-<?(\w+)>?(?:-[\w-]+)?)` \|/gm)];
  for (const stage of stages.filter((one) => one !== 'dev')) {
    const ofStage = named.filter(([, , of]) => of === 'stage' || of === stage);
    const applications = Object.values(templatesOf(stage)).flatMap((template) =>
      propertiesOf(template, 'AWS::CodeDeploy::Application'),
    );
    const names = applications.map(({ ApplicationName }) => ApplicationName);
    expect([...new Set(names)].sort()).toEqual(
      ofStage.map(([, name = '']) => name.replace('<stage>', stage)).sort(),
    );
  }
});

it('the page says which quota each stage needs: what its functions reserve, and 100 that Lambda keeps free', () => {
  const reserved = (stage: Stage) =>
    propertiesOf(templatesOf(stage).all, 'AWS::Lambda::Function').reduce(
      (sum, { ReservedConcurrentExecutions = 0 }) => sum + ReservedConcurrentExecutions,
      0,
    );
  const [prod, sandbox] = [reserved('prod'), reserved('sandbox')];
  expect(page).toContain(
    `Prod needs a quota of ${prod + 100} to deploy, the sandbox ${sandbox + 100}, both in one account ${prod + sandbox + 100}. Dev and staging reserve none`,
  );
  expect([reserved('dev'), reserved('staging')]).toEqual([0, 0]);
});

it('of the alarms with which the page tests the topics, one pages and one is a notice', () => {
  const names = /for ALARM in ([^;]+); do/.exec(page)?.[1]?.split(' ') ?? [];
  const alarms = templatesOf('staging').service.findResources('AWS::CloudWatch::Alarm');
  expect(names.map((name) => alarms[name]?.['Properties'].AlarmActions)).toEqual([
    [{ Ref: 'Alarms' }],
    [{ Ref: 'Notices' }],
  ]);
});
