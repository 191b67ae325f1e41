import { expect, it } from 'vitest';
import { stages } from '../../infra/config.ts';
import { templatesOf } from './synthesize.ts';

it.each(stages)('in %s due callbacks are resumed every minute, and nothing else is scheduled', (stage) => {
  const { service } = templatesOf(stage);
  service.resourceCountIs('AWS::Scheduler::Schedule', 0);
  const rules = Object.values(service.findResources('AWS::Events::Rule'));
  expect(rules.map(({ Properties }) => Properties)).toEqual([
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
  const asynchronous = Object.values(service.findResources('AWS::Lambda::EventInvokeConfig'));
  expect(asynchronous.map(({ Properties }) => Properties)).toEqual([
    {
      FunctionName: { Ref: 'SweepDue' },
      Qualifier: { 'Fn::Select': [7, { 'Fn::Split': [':', { Ref: 'SweepDueLive' }] }] },
      MaximumRetryAttempts: 0,
      MaximumEventAgeInSeconds: 60,
    },
  ]);
});

it('a scheduled run ends before the next begins', () => {
  const functions = templatesOf('prod').service.findResources('AWS::Lambda::Function');
  expect(functions['SweepDue']?.['Properties'].Timeout).toBe(60);
});
