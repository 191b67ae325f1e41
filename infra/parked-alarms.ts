import type { Duration } from 'aws-cdk-lib';
import { MathExpression, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { alarm } from './constructs/alarm.ts';
import { ownMetric } from './constructs/own-metric.ts';
import type { Service } from './service.ts';

/** Functions that read what we wrote ourselves: whatever they park is a defect of ours. */
const readersOfOurs = [
  'DispatchMessages',
  'FanOutStates',
  'DeliverCallback',
  'DeliverSlowCallback',
  'EndFailedSlice',
];

/** What nobody can read is out of the way, but somebody must look at it: no retry will ever mend it. */
export function watchParked(service: Service): void {
  const { config } = service;
  alarm(service, 'RowsParked', {
    impact: 'Rows or messages of ours cannot be read and were set aside: a push, callback or list is stuck.',
    runbook: 'rows-parked',
    metric: (period) => parkedBy(service, period),
    rule: config.alarms.rowsParked,
    missingData: TreatMissingData.NOT_BREACHING,
  });
  alarm(service, 'ReceiptsParked', {
    impact:
      'Receipts of the wallet platform match no message or are malformed: histories and callbacks lack them.',
    runbook: 'receipts-parked',
    metric: (period) => ownMetric(config, 'RecordReceipts', 'Parked', { period, label: 'parked receipts' }),
    rule: config.alarms.receiptsParked,
    missingData: TreatMissingData.NOT_BREACHING,
  });
}

function parkedBy({ config }: Service, period: Duration): MathExpression {
  return new MathExpression({
    label: 'parked rows and messages',
    expression: readersOfOurs.map((_, n) => `FILL(parked${n}, 0)`).join(' + '),
    usingMetrics: Object.fromEntries(
      readersOfOurs.map((id, n) => [`parked${n}`, ownMetric(config, id, 'Parked', { period })]),
    ),
    period,
  });
}
