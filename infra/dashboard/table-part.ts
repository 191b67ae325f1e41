import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { tableMetric } from '../constructs/metrics.ts';
import { indexNames } from '../data-stack.ts';
import type { Part } from './widgets.ts';

const operations = ['GetItem', 'Query', 'BatchGetItem', 'PutItem', 'UpdateItem', 'BatchWriteItem'];

export function tablePart(table: Table): Part {
  const ofTable = (name: string, label: string) => tableMetric(table, name, { label });
  const ofIndexes = (name: string, what: string) =>
    indexNames.map((index) => {
      const dimensionsMap = { GlobalSecondaryIndexName: index };
      return tableMetric(table, name, { label: `${what} to the index ${index}`, dimensionsMap });
    });
  return {
    headline: 'Table',
    graphs: {
      'Units consumed': [
        ofTable('ConsumedReadCapacityUnits', 'read'),
        ofTable('ConsumedWriteCapacityUnits', 'write'),
        ...ofIndexes('ConsumedWriteCapacityUnits', 'write'),
      ],
      'Throttled requests': [
        ofTable('ReadThrottleEvents', 'reads'),
        ofTable('WriteThrottleEvents', 'writes'),
        ...ofIndexes('WriteThrottleEvents', 'writes'),
      ],
      'Latency of successful requests, p99, ms': operations.map((Operation) => {
        const options = { label: Operation, statistic: 'p99', dimensionsMap: { Operation } };
        return tableMetric(table, 'SuccessfulRequestLatency', options);
      }),
    },
  };
}
