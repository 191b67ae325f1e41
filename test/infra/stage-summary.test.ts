import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { stages } from '../../infra/config.ts';
import { functionIds } from './permissions.ts';
import { acknowledgements, appOf, templatesOf } from './synthesize.ts';

it.each(stages)(
  'the templates of %s stay within 400 resources and 1 MB: CloudFormation takes 500, and room is left for a change under way',
  (stage) => {
    const { directory, stacks } = appOf(stage).app.synth();
    expect(stacks.map(({ stackName }) => stackName)).toEqual([
      `partner-integration-${stage}-data`,
      `partner-integration-${stage}-service`,
      `partner-integration-${stage}-self-service`,
      ...(stage === 'dev' || stage === 'sandbox' ? [`partner-integration-${stage}-sandbox`] : []),
    ]);
    for (const { stackName, templateFile } of stacks) {
      const text = readFileSync(join(directory, templateFile), 'utf8');
      const resources = Object.keys(JSON.parse(text).Resources).length;
      expect(resources, stackName).toBeGreaterThan(0);
      expect(resources, stackName).toBeLessThan(400);
      expect(Buffer.byteLength(text), stackName).toBeGreaterThan(1_000);
      expect(Buffer.byteLength(text), stackName).toBeLessThan(1_000_000);
    }
  },
);

it('prod has one alarm that dev has not, and acknowledges fewer findings', () => {
  const { service, selfService } = templatesOf('prod');
  const alarmsIn = (...templates: (typeof service)[]) =>
    ['AWS::CloudWatch::Alarm', 'AWS::CloudWatch::CompositeAlarm']
      .flatMap((type) => templates.map((template) => Object.keys(template.findResources(type)).length))
      .reduce((sum, count) => sum + count, 0);
  const dev = templatesOf('dev');
  const devTemplates = [dev.service, dev.selfService, ...(dev.sandbox ? [dev.sandbox] : [])];
  // Only prod has the alarm that rolls back deployments, and only dev has the two for the queue of device reports.
  expect(alarmsIn(service, selfService) - alarmsIn(...devTemplates)).toBe(1 - 2);
  // Prod acknowledges findings for the two roles with which CodeDeploy moves aliases and the one that copies backups; dev does for the simulated wallet
  // platform's functions and for the route to receivers.
  const simulated = dev.sandbox ? functionIds(dev.sandbox).length : 0;
  const acknowledged = (stage: 'dev' | 'prod') => acknowledgements(appOf(stage).app).length;
  expect(acknowledged('prod') - acknowledged('dev')).toBe(3 - (simulated + 1));
});
