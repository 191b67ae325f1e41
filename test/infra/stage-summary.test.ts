import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { summarize } from '../../build/stage-summary.ts';
import { stages } from '../../infra/config.ts';
import { functionIds } from './permissions.ts';
import { appOf, templatesOf } from './synthesize.ts';

it.each(stages)(
  'the templates of %s stay within 400 resources and 1 MB: CloudFormation takes 500, and room is left for a change under way',
  (stage) => {
    const { stacks } = summarize(appOf(stage), performance.now());
    expect(stacks.map(({ name }) => name)).toEqual([
      `partner-integration-${stage}-data`,
      `partner-integration-${stage}-service`,
      `partner-integration-${stage}-self-service`,
      ...(stage === 'dev' || stage === 'sandbox' ? [`partner-integration-${stage}-sandbox`] : []),
      `partner-integration-${stage}-console`,
    ]);
    for (const { name, resources, bytes } of stacks) {
      expect(resources, name).toBeGreaterThan(0);
      expect(resources, name).toBeLessThan(400);
      expect(bytes, name).toBeGreaterThan(1_000);
      expect(bytes, name).toBeLessThan(1_000_000);
    }
  },
);

it('the report counts functions, alarms and findings', () => {
  const dev = summarize(appOf('dev'), performance.now());
  const prod = summarize(appOf('prod'), performance.now());
  const functions = functionIds(templatesOf('prod').all).length;
  expect(prod).toMatchObject({ functions, nagFindings: 0 });
  // One for each function but the console: it rolls back its deployments. Dev has the two of the queue where devices'
  // reports wait.
  expect(prod.alarms - dev.alarms).toBe(functions - 1 - 2);
  // Two roles by which CodeDeploy moves aliases, and in dev those of the simulated wallet platform's functions
  // and of the route to receivers.
  const { sandbox } = templatesOf('dev');
  const simulated = sandbox ? functionIds(sandbox).length : 0;
  expect(prod.nagAcknowledgements - dev.nagAcknowledgements).toBe(2 - (simulated + 1));
});

it('the report refuses an unknown option', () => {
  const report = spawnSync(process.execPath, ['build/report.ts', '--bogus'], { encoding: 'utf8' });
  const sentence = "Unknown option '--bogus': --help lists the options.\n";
  expect(report).toMatchObject({ status: 2, stdout: '', stderr: sentence });
});
