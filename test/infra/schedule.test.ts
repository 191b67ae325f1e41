import { expect, it } from 'vitest';
import { stages } from '../../infra/config.ts';
import { propertiesOf, resource, templatesOf } from './synthesize.ts';

it.each(stages)('in %s due callbacks are resumed every minute, and nothing else is scheduled', (stage) => {
  const { service } = templatesOf(stage);
  service.resourceCountIs('AWS::Scheduler::Schedule', 0);
  expect(propertiesOf(service, 'AWS::Events::Rule')).toEqual([
    {
      ScheduleExpression: 'rate(1 minute)',
      State: 'ENABLED',
      Targets: [
        {
          Id: 'Target0',
          Arn: stage === 'dev' ? { 'Fn::GetAtt': ['SweepDue', 'Arn'] } : { Ref: 'SweepDueLive' },
          RetryPolicy: { MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 },
        },
      ],
    },
  ]);
});

it('a failed or throttled run is not repeated: the next minute’s run sends what it left', () => {
  const { service } = templatesOf('prod');
  expect(propertiesOf(service, 'AWS::Lambda::EventInvokeConfig')).toEqual([
    {
      FunctionName: { Ref: 'SweepDue' },
      Qualifier: { 'Fn::Select': [7, { 'Fn::Split': [':', { Ref: 'SweepDueLive' }] }] },
      MaximumRetryAttempts: 0,
      MaximumEventAgeInSeconds: 60,
    },
  ]);
});

it('a scheduled run ends before the next begins', () => {
  expect(resource(templatesOf('prod').service, 'AWS::Lambda::Function', 'SweepDue').Timeout).toBe(60);
});
