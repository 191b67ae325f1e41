import { type DimensionsMap, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { indexNames } from '../data-stack.ts';
import type { Part } from './widgets.ts';

const operations = ['GetItem', 'Query', 'BatchGetItem', 'PutItem', 'UpdateItem', 'BatchWriteItem'];

export function table({ tableName: TableName }: Table): Part {
  const metric = (metricName: string, label: string, dimensions: DimensionsMap = {}, statistic = 'Sum') =>
    new Metric({
      namespace: 'AWS/DynamoDB',
      metricName,
      label,
      statistic,
      dimensionsMap: { TableName, ...dimensions },
    });
  const ofIndexes = (metricName: string, what: string) =>
    indexNames.map((name) =>
      metric(metricName, `${what} to the index ${name}`, { GlobalSecondaryIndexName: name }),
    );
  return {
    headline: 'Table',
    graphs: {
      'Units consumed': [
        metric('ConsumedReadCapacityUnits', 'read'),
        metric('ConsumedWriteCapacityUnits', 'write'),
        ...ofIndexes('ConsumedWriteCapacityUnits', 'write'),
      ],
      'Throttled requests': [
        metric('ReadThrottleEvents', 'reads'),
        metric('WriteThrottleEvents', 'writes'),
        ...ofIndexes('WriteThrottleEvents', 'writes'),
      ],
      'Latency of successful requests, p99, ms': operations.map((Operation) =>
        metric('SuccessfulRequestLatency', Operation, { Operation }, 'p99'),
      ),
    },
  };
}
