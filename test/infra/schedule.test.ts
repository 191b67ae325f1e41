import { expect, it } from 'vitest';
import { propertiesOf, resource, templatesOf } from './synthesize.ts';

it('a failed or throttled run is not repeated, and ends before the next, which sends what it left', () => {
  const { service } = templatesOf('prod');
  const noRepeats = { MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 };
  expect(propertiesOf(service, 'AWS::Events::Rule')).toMatchObject([
    { Targets: [{ RetryPolicy: noRepeats }] },
  ]);
  expect(propertiesOf(service, 'AWS::Lambda::EventInvokeConfig')).toMatchObject([
    { FunctionName: { Ref: 'SweepDue' }, ...noRepeats },
  ]);
  expect(resource(service, 'AWS::Lambda::Function', 'SweepDue').Timeout).toBe(60);
});
