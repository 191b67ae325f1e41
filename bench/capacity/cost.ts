import { configOf } from '../../infra/config.ts';
import { daysAMonth } from './load.ts';
import { prices, storedLogShare, tracedShare } from './prices.ts';
import { type Area, areas, type MonthlyUsage, type Usage } from './usage.ts';

export const services = [
  'DynamoDB',
  'Lambda',
  'SQS',
  'API Gateway',
  'CloudWatch',
  'X-Ray',
  'data out',
  'KMS',
] as const;
export type ServiceName = (typeof services)[number];
export type Bill = Record<ServiceName, number>;

/** Whatever the load. Alarms, dashboard and key are counted in the template; metrics and requests to the key reckoned. */
const standingItems = {
  alarms: 30,
  dashboards: 1,
  customMetrics: 60,
  keys: 1,
  keyRequests: 500_000,
} as const;

const million = 1e6;

/** What a GB of log costs until it is deleted: when every month is like this one, a month pays as much. */
const logGbDollars =
  prices.logGb.dollars +
  (configOf('prod').logs.retentionDays / daysAMonth) * storedLogShare * prices.logGbMonth.dollars;

function billOf(usage: Usage): Bill {
  return {
    DynamoDB:
      (usage.writes * prices.millionWriteUnits.dollars + usage.reads * prices.millionReadUnits.dollars) /
        million +
      usage.storedGb * (prices.tableGbMonth.dollars + prices.backupGbMonth.dollars),
    Lambda:
      (usage.invocations * prices.millionInvocations.dollars) / million +
      usage.gbSeconds * prices.gbSecond.dollars,
    SQS:
      (usage.standardQueueRequests * prices.millionStandardQueueRequests.dollars +
        usage.fairQueueRequests *
          (prices.millionStandardQueueRequests.dollars + prices.millionFairQueueRequests.dollars) +
        usage.fifoQueueRequests * prices.millionFifoQueueRequests.dollars) /
      million,
    'API Gateway': (usage.httpRequests * prices.millionHttpRequests.dollars) / million,
    CloudWatch: usage.logGb * logGbDollars,
    'X-Ray': (usage.invocations * tracedShare * prices.millionTraces.dollars) / million,
    'data out': usage.gbOut * prices.gbOut.dollars,
    KMS: 0,
  };
}

const standingBill: Bill = {
  ...{ DynamoDB: 0, Lambda: 0, SQS: 0, 'API Gateway': 0, 'X-Ray': 0, 'data out': 0 },
  CloudWatch:
    standingItems.alarms * prices.alarm.dollars +
    standingItems.dashboards * prices.dashboard.dollars +
    standingItems.customMetrics * prices.customMetric.dollars,
  KMS:
    standingItems.keys * prices.key.dollars +
    (standingItems.keyRequests / 10_000) * prices.tenThousandKeyRequests.dollars,
};

function sum(bills: readonly Bill[]): Bill {
  return Object.fromEntries(
    services.map((service) => [service, bills.reduce((total, bill) => total + bill[service], 0)]),
  ) as Bill;
}

export interface Cost {
  readonly total: number;
  readonly byService: Bill;
  readonly byArea: Record<Area, number>;
}

/** US dollars a month. */
export function costOf(usage: MonthlyUsage): Cost {
  const bills = areas.map((area) => {
    const bill = billOf(usage[area]);
    return { area, bill: area === 'standing' ? sum([bill, standingBill]) : bill };
  });
  const byService = sum(bills.map(({ bill }) => bill));
  const totalOf = (bill: Bill) => services.reduce((total, service) => total + bill[service], 0);
  return {
    total: totalOf(byService),
    byService,
    byArea: Object.fromEntries(bills.map(({ area, bill }) => [area, totalOf(bill)])) as Record<Area, number>,
  };
}
