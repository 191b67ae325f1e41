import { MathExpression, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { alarm } from './constructs/alarm.ts';
import { dueIndexName } from './data-stack.ts';
import type { Service } from './service.ts';

/** The SDK retries throttled requests: a few go unnoticed, many become errors. */
export function watchTable(service: Service): void {
  alarm(service, 'TableThrottled', {
    impact: 'The table throttles requests: partners and the wallet platform get slow responses, then 5xx.',
    lookAt: 'the part Table of the dashboard',
    runbook: 'table-throttled',
    metric: (period) => {
      const events = (metricName: string, index: Record<string, string> = {}) =>
        new Metric({
          namespace: 'AWS/DynamoDB',
          metricName,
          dimensionsMap: { TableName: service.table.tableName, ...index },
          statistic: 'Sum',
          period,
        });
      // DynamoDB counts an index apart from its table. A throttled index also holds back writes to the table.
      const due = { GlobalSecondaryIndexName: dueIndexName };
      return new MathExpression({
        label: 'throttled reads and writes, of the table and its index',
        expression: 'FILL(reads, 0) + FILL(writes, 0) + FILL(indexReads, 0) + FILL(indexWrites, 0)',
        usingMetrics: {
          reads: events('ReadThrottleEvents'),
          writes: events('WriteThrottleEvents'),
          indexReads: events('ReadThrottleEvents', due),
          indexWrites: events('WriteThrottleEvents', due),
        },
        period,
      });
    },
    rule: service.config.alarms.tableThrottles,
    missingData: TreatMissingData.NOT_BREACHING,
  });
}
