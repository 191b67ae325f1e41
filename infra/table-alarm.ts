import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { alarm } from './constructs/alarm.ts';
import { sumOf } from './constructs/sum-of.ts';
import { indexNames } from './data-stack.ts';
import type { Service } from './service.ts';

/** An alarm on throttled requests. The SDK retries them, so a few cause no errors, and many do. */
export function watchTable(service: Service): void {
  alarm(service, 'TableThrottled', {
    impact: 'The table throttles requests: partners and the wallet platform get slow responses, then 5xx.',
    lookAt: 'the part Table of the dashboard',
    metric: (period) => {
      // DynamoDB counts an index apart from its table. A throttled index also holds back writes to the table.
      const indexes = indexNames.map((name) => ({ GlobalSecondaryIndexName: name }));
      const events = [{}, ...indexes].flatMap((index) =>
        ['ReadThrottleEvents', 'WriteThrottleEvents'].map(
          (metricName) =>
            new Metric({
              namespace: 'AWS/DynamoDB',
              metricName,
              dimensionsMap: { TableName: service.table.tableName, ...index },
              statistic: 'Sum',
            }),
        ),
      );
      return sumOf('throttled', events, {
        period,
        label: 'throttled reads and writes, of the table and its indexes',
      });
    },
    rule: service.config.alarms.tableThrottles,
  });
}
