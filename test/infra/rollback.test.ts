import { expect, it } from 'vitest';
import { countedBy, evaluate } from './cloudwatch.ts';
import { functionIds } from './permissions.ts';
import { resource, switchedAtOnce, templatesOf } from './synthesize.ts';

const { all, service } = templatesOf('prod');
const rollback = resource(service, 'AWS::CloudWatch::Alarm', 'Rollback');
const rule = resource(service, 'AWS::CloudWatch::InsightRule', 'FailingPartners');

type Query = { Id: string; Expression?: string; MetricStat?: { Metric: { MetricName: string } } };

function rollsBack(partners: number | undefined, common: number | undefined): boolean {
  const [{ Expression = '' } = {}] = rollback.Metrics as Query[];
  return evaluate(Expression, { partners, common }) >= rollback.Threshold;
}

it('rule 48: the failures of one partner, however many, roll no deployment back; those of two do', () => {
  expect(rollsBack(undefined, undefined)).toBe(false);
  expect(rollsBack(1, undefined)).toBe(false);
  expect(rollsBack(2, undefined)).toBe(true);
  expect(rollsBack(40, undefined)).toBe(true);
});

it('one failure that is no one partner’s rolls a deployment back', () => {
  expect(rollsBack(undefined, 1)).toBe(true);
  expect(rollsBack(1, 1)).toBe(true);
});

it('the alarm counts partners by a rule, and common failures by a metric, in two of five minutes, as they may be three minutes late; it notifies nobody', () => {
  const [, partners, common] = rollback.Metrics as Query[];
  expect(partners).toMatchObject({
    Id: 'partners',
    Expression: 'INSIGHT_RULE_METRIC("partner-integration-prod-FailingPartners", "UniqueContributors")',
    Period: 60,
  });
  expect(common).toMatchObject({
    Id: 'common',
    MetricStat: {
      Metric: { MetricName: 'CommonFailures', Namespace: 'partner-integration-prod' },
      Period: 60,
    },
  });
  expect(rollback).toMatchObject({
    DatapointsToAlarm: 2,
    EvaluationPeriods: 5,
    TreatMissingData: 'notBreaching',
  });
  expect(rollback.AlarmActions).toBeUndefined();
});

it('the rule counts the partners in failing lines of all functions and of the gateway', () => {
  expect(rule).toMatchObject({ RuleName: 'partner-integration-prod-FailingPartners', RuleState: 'ENABLED' });
  expect(JSON.parse(rule.RuleBody)).toEqual({
    Schema: { Name: 'CloudWatchLogRule', Version: 1 },
    LogGroupNames: ['/aws/lambda/partner-integration-prod-*', logGroupOf('ApiAccessLogs')],
    LogFormat: 'JSON',
    Contribution: {
      Keys: ['$.partnerId'],
      Filters: [
        { Match: '$.status', In: ['500'] },
        { Match: '$.partnerId', NotIn: ['-', 'wallet', 'unauthenticated'] },
      ],
    },
    AggregateOn: 'Count',
  });
});

function logGroupOf(id: string): string {
  return resource(all, 'AWS::Logs::LogGroup', id).LogGroupName;
}

function isCommonFailure(logGroup: string, line: Record<string, string>): boolean {
  return countedBy(service, logGroup, line).includes('CommonFailures');
}

it('a 500 to the wallet platform is a common failure; one to a partner is not', () => {
  const isCommon = (line: Record<string, string>) =>
    isCommonFailure('ApiAccessLogs', {
      ...{ status: '500', partnerId: '-', callerArn: '-', authorizerError: '-' },
      ...line,
    });
  expect(isCommon({ callerArn: 'arn:aws:sts::1:assumed-role/wallet' })).toBe(true);
  // The authorizer counts its failures itself.
  expect(isCommon({ authorizerError: 'The function failed' })).toBe(false);
  expect(isCommon({ partnerId: 'bars' })).toBe(false);
  expect(isCommon({ status: '503', callerArn: 'arn' })).toBe(false);
  // Anybody may call the console, so its failures must not stop a deployment.
  expect(isCommon({})).toBe(false);
});

it('of each worker and the authorizer, failures without a partner, failed starts and crashes are common failures, but not a crash by a list', () => {
  const routes = Object.keys(all.findResources('AWS::ApiGatewayV2::Route'));
  const workers = functionIds(all).filter((id) => !routes.includes(`${id}Route`) && id !== switchedAtOnce);
  expect(workers.length).toBeGreaterThan(8);
  for (const id of workers) {
    const isOf = (partnerId: string) => isCommonFailure(`${id}Logs`, { status: '500', partnerId });
    expect([isOf('-'), isOf('bars')], id).toEqual([true, false]);
    const isCounted = (type: string, status: string) =>
      isCommonFailure(`${id}Logs`, { type, 'record.status': status });
    expect(isCounted('platform.initReport', 'error'), id).toBe(true);
    expect(isCounted('platform.report', 'error'), id).toBe(id !== 'ProcessSync');
    expect(isCounted('platform.report', 'success'), id).toBe(false);
    expect(isCounted('platform.start', 'error'), id).toBe(false);
  }
});
