import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validations } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { expect, it } from 'vitest';
import { stages } from '../../infra/config.ts';
import { defineApp } from './synthesize.ts';

it.each(stages)('%s is free of unacknowledged findings, warnings too', (stage) => {
  const { directory } = defineApp(stage).app.synth();
  const report = JSON.parse(readFileSync(join(directory, 'validation-report.json'), 'utf8'));
  expect(report.pluginReports).toEqual([]);
});

it('an unacknowledged finding stops the synthesis and is named', () => {
  const { app, service } = defineApp('dev');
  new Queue(service, 'Bare');
  expect(() => app.synth()).toThrow(/AwsSolutions-SQS3/);
});

it('only two things are acknowledged: tracing knows no resources, and an end of the line has no other', () => {
  const acknowledged = defineApp('prod')
    .app.node.findAll()
    .flatMap(({ node }) => node.metadata.map(({ type, data }) => ({ at: node.id, type, data })))
    .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY);
  const [onRoles, others] = [
    acknowledged.filter(({ at }) => at.endsWith('Role')),
    acknowledged.filter(({ at }) => !at.endsWith('Role')),
  ];
  expect(onRoles.length).toBeGreaterThan(0);
  for (const { data } of onRoles) {
    expect(data).toEqual({
      'Annotation::AwsSolutions-IAM5[Resource::*]':
        'Active tracing: xray:PutTraceSegments and xray:PutTelemetryRecords know no resource but *.',
    });
  }
  expect(others.map(({ at }) => at)).toEqual(['DispatchMessagesFailed', 'FanOutStatesFailed']);
  for (const { data } of others) {
    expect(data).toEqual({
      'Annotation::AwsSolutions-SQS3':
        'It is the end of the line itself: what a stream function gave up is described here, behind an alarm.',
    });
  }
});
