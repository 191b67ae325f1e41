import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { addAlarm } from './constructs/alarm.ts';
import type { Service } from './service.ts';

/** The tag that every resource of a stage has. Its value is the beginning of their names. */
export const costTag = 'service';

const manyBytes = {
  impact: 'The API sends far more data than usual, which costs money: somebody loads much, again and again.',
  lookAt: 'which partnerId or sourceIp has most responseBytes in the access log of the API',
};

/**
 * Alarms about money: the bytes of an hour, soon after it, and the bill of the month. AWS updates bills up to three times
 * a day: https://docs.aws.amazon.com/cost-management/latest/userguide/budgets-managing-costs.html
 */
export function watchCosts(service: Service, api: HttpApi): void {
  // API Gateway does not say whether it adds up both directions. Requests have 6 MB at most, and are few.
  const metric = api.metricDataProcessed({ statistic: 'Sum' });
  addAlarm(service, 'ManyBytes', {
    ...manyBytes,
    metric,
    // 10 GB cost 0.90 dollars, and are ten times the busiest hour of a national retailer.
    threshold: 10e9,
    periodMinutes: 60,
    notice: true,
  });
  addAlarm(service, 'FarTooManyBytes', {
    ...manyBytes,
    metric,
    // It costs 9 dollars an hour: over a weekend more than prod's budget of a month.
    threshold: 100e9,
    periodMinutes: 60,
    runbook: 'many-bytes',
  });
  addBudget(service);
}

function addBudget({ stack, config, alarmTopics }: Service): void {
  const { monthlyBudgetDollars: amount, namePrefix } = config;
  if (amount === undefined) return;
  const topic = { subscriptionType: 'SNS', address: alarmTopics.notices.topicArn };
  const notice = (notificationType: 'ACTUAL' | 'FORECASTED', threshold: number) => ({
    notification: { notificationType, comparisonOperator: 'GREATER_THAN', threshold },
    subscribers: [topic],
  });
  const budget = new CfnBudget(stack, 'Budget', {
    budget: {
      // CloudFormation gives it a name: it replaces a budget whose notifications change, before it deletes the old one.
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount, unit: 'USD' },
      costFilters: { TagKeyValue: [`user:${costTag}$${namePrefix}`] },
    },
    notificationsWithSubscribers: [notice('ACTUAL', 80), notice('FORECASTED', 100)],
  });
  // The policy that lets the budget publish to the topic.
  budget.node.addDependency(alarmTopics.notices);
}
