import { MathExpression, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { alarm } from './constructs/alarm.ts';
import type { Service } from './service.ts';

/** The SDK retries throttled requests: a few go unnoticed, many become errors. */
export function watchTable(service: Service): void {
  alarm(service, 'TableThrottled', {
    impact: 'The table throttles requests: partners and the wallet platform get slow responses, then 5xx.',
    lookAt: 'the part Table of the dashboard',
    runbook: 'table-throttled',
    metric: (period) => {
      const events = (metricName: string) =>
        new Metric({
          namespace: 'AWS/DynamoDB',
          metricName,
          dimensionsMap: { TableName: service.table.tableName },
          statistic: 'Sum',
          period,
        });
      return new MathExpression({
        label: 'throttled reads and writes',
        expression: 'FILL(reads, 0) + FILL(writes, 0)',
        usingMetrics: { reads: events('ReadThrottleEvents'), writes: events('WriteThrottleEvents') },
        period,
      });
    },
    rule: service.config.alarms.tableThrottles,
    missingData: TreatMissingData.NOT_BREACHING,
  });
}
