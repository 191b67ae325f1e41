import { alarm } from './constructs/alarm.ts';
import { serviceMetric, sharedMetric } from './constructs/service-metric.ts';
import type { Service } from './service.ts';

/** Alarms on parked messages. They block nothing, but no retry will fix them, so an engineer must look at them. */
export function watchParked(service: Service): void {
  const { config } = service;
  alarm(service, 'RowsParked', {
    impact:
      'Rows or messages of ours are unreadable and set aside: a push, callback or list of a partner is stuck.',
    lookAt: 'the parked rows of the table, which have the reason',
    metric: (period) => sharedMetric(config, 'Parked', { period, label: 'parked rows and messages' }),
    rule: config.alarms.rowsParked,
  });
  alarm(service, 'ReceiptsParked', {
    impact:
      'Receipts of the wallet platform match no message or are malformed: histories of partners lack states.',
    lookAt: 'the parked rows of the table, which have the reason',
    metric: (period) =>
      serviceMetric(config, 'RecordReceipts', 'ReceiptsParked', { period, label: 'parked receipts' }),
    rule: config.alarms.receiptsParked,
  });
}
