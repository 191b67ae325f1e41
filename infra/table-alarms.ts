import { addAlarm } from './constructs/alarm.ts';
import { serviceMetric, sharedMetric, sumMetrics, tableMetric } from './constructs/metrics.ts';
import type { Service } from './service.ts';
import { indexNames } from './table.ts';

/** The alarms on the table: requests that it throttles, and rows in it that no retry will fix. */
export function watchTable(service: Service): void {
  const { config, table } = service;
  // A list is written as fast as its partition takes it, which throttles some writes, of its own offer alone. So writes
  // to the table count only if a limit of the account refuses them.
  const ofTable = ['ReadThrottleEvents', 'WriteAccountLimitThrottleEvents'];
  const throttled = ofTable.map((name) => tableMetric(table, name, {}));
  // DynamoDB counts an index apart from its table. A throttled index also holds back writes to the table.
  for (const GlobalSecondaryIndexName of indexNames)
    for (const name of ['ReadThrottleEvents', 'WriteThrottleEvents'])
      throttled.push(tableMetric(table, name, { dimensionsMap: { GlobalSecondaryIndexName } }));
  // The SDK retries throttled requests, so a few cause no errors, and many do.
  addAlarm(service, 'TableThrottled', {
    impact: 'The table throttles requests: partners and the wallet platform get slow responses, then 5xx.',
    lookAt: 'the part Table of the dashboard',
    metric: sumMetrics(
      'throttled',
      throttled,
      'throttled reads and writes, but not by one partition of the table',
    ),
    threshold: 10,
    periods: 2,
  });
  // Parked rows block nothing, but an engineer must look at them.
  addAlarm(service, 'RowsParked', {
    impact:
      'Rows or messages of ours are unreadable and set aside: a push, callback or list of a partner is stuck.',
    lookAt: 'the parked rows of the table, which have the reason',
    metric: sharedMetric(config, 'Parked', { label: 'parked rows and messages' }),
  });
  addAlarm(service, 'ReceiptsParked', {
    impact:
      'Receipts of the wallet platform match no message or are malformed: histories of partners lack states.',
    lookAt: 'the parked rows of the table, which have the reason',
    metric: serviceMetric(config, 'RecordReceipts', 'ReceiptsParked', { label: 'parked receipts' }),
    // A few are normal (a receipt for a message 30 days old); many are a defect of the wallet platform, or of ours, as is one
    // unreadable message, which counts as 500.
    threshold: 100,
    periodMinutes: 15,
  });
}
