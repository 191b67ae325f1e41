import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { expect, it } from 'vitest';
import { functionIds } from './permissions.ts';
import {
  acknowledgements,
  appOf,
  asTemplates,
  type DefinedApp,
  defineApp,
  domain,
  truststore,
} from './synthesize.ts';

/** On a busy machine CloudFormation's own rules take more than a minute. */
const longestMs = 300_000;

const prod = defineApp('prod', { changed: { domain: { ...domain, truststore } }, validated: true });

/**
 * These together have every resource that a stage may have. CloudFormation's own rules are slow, so they run only on the
 * last two, which together have every kind of resource. The others, which take 2 s each, are for CI.
 */
const everyResource: [what: string, define: () => Pick<DefinedApp, 'app'>][] = [
  ['dev', () => appOf('dev')],
  ['sandbox', () => defineApp('sandbox', { validated: true })],
  ['prod with a domain and a truststore', () => prod],
];
const others: typeof everyResource = [
  ['staging', () => appOf('staging')],
  ['prod', () => appOf('prod')],
  ['prod with a domain', () => defineApp('prod', { changed: { domain } })],
];

it.each(process.env['CI'] ? [...everyResource, ...others] : everyResource)(
  '%s is free of unacknowledged findings, warnings too',
  (_what, define) => {
    const { directory } = define().app.synth();
    const report = JSON.parse(readFileSync(join(directory, 'validation-report.json'), 'utf8'));
    expect(report.pluginReports).toEqual([]);
  },
  longestMs,
);

it('an unacknowledged finding stops the synthesis and is named', () => {
  const { app, service } = defineApp('dev');
  new Queue(service, 'Bare');
  expect(() => app.synth()).toThrow(/AwsSolutions-SQS3/);
});

it('only these findings are acknowledged: AWS Backup by its own policy, actions without resources, dead-letter queues, path parameters of wallet routes, open routes', () => {
  const { app, ...stacks } = prod;
  const made = acknowledgements(app);
  const roles = functionIds(asTemplates(stacks).all).map((id) => `${id}Role`);
  const functionRoles = made.filter(
    ({ at }) => at.endsWith('Role') && !['RolloutRole', 'BackupRole'].includes(at),
  );
  expect(functionRoles.map(({ at }) => at).sort()).toEqual(roles);
  for (const { reasons } of functionRoles) {
    expect(reasons).toEqual({
      'Annotation::AwsSolutions-IAM5[Resource::*]':
        'Active tracing: xray:PutTraceSegments and xray:PutTelemetryRecords have no resource but *.',
    });
  }
  const others = made.filter((one) => !functionRoles.includes(one));
  expect(others.flatMap(({ reasons }) => Object.keys(reasons))).toEqual([
    'Annotation::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup]',
    'Annotation::AwsSolutions-IAM5[Resource::*]',
    'Annotation::AwsSolutions-SQS3',
    'Annotation::AwsSolutions-SQS3',
    ...Array.from({ length: 9 }, () => 'Annotation::AwsSolutions-APIG4'),
    ...['places', 'promos'].map(
      (what) =>
        'Annotation::AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:execute-api:<AWS::Region>:<AWS::AccountId>:' +
        `<Api>/$default/GET/wallet/offers/*/${what}]`,
    ),
    'Annotation::AwsSolutions-IAM5[Resource::*]',
  ]);
});
