import { configOf } from '../../infra/config.ts';
import { buckets } from '../../shared/platform/table/keys.ts';
import { eventsOf, type Load } from './load.ts';
import type { FunctionName } from './measured.ts';
import { sumOf, type Usage } from './usage.ts';

const { queues, reservedConcurrency, throttle } = configOf('prod');
const reserved: Readonly<Partial<Record<FunctionName, number>>> = reservedConcurrency;
const ours = 'infra/config.ts';
const onRequest = 'AWS quota, raised on request';

/** Of one partition, and so of one key: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/warm-throughput-scenarios.html */
const keyWritesASecond = 1_000;

/** How many functions must run at once: the rate of their invocations times how long one lasts. */
function atOnceOf(usage: readonly Usage[], counts: (name: FunctionName) => boolean): number {
  return usage.reduce(
    (sum, { runs, times, ms }) => sum + (runs && counts(runs) ? (times.second * ms) / 1_000 : 0),
    0,
  );
}

/** `by`: who sets the limit. */
type Row = readonly [what: string, used: number, limit: number, by: string];

/** What AWS and the configuration allow at once. */
function functionLimits(usage: readonly Usage[]): Row[] {
  const caps: Readonly<Partial<Record<FunctionName, number>>> = {
    ...reserved,
    RecordReceipts: queues.receiptWorkers,
    DeliverCallback: queues.callbackWorkers,
    ProcessList: queues.listWorkers,
  };
  const capped = Object.entries(caps).map(
    ([name, cap]): Row => [`${name} at once`, atOnceOf(usage, (other) => other === name), cap, ours],
  );
  // Reserved functions are free for nobody else, busy or not: the others share what the quota of 1,000 leaves.
  // https://serverlessland.com/content/service/lambda/guides/aws-lambda-operator-guide/scaling-concurrency
  const left = 1_000 - Object.values(reserved).reduce((sum, count) => sum + count, 0);
  const others = atOnceOf(usage, (name) => reserved[name] === undefined);
  const by = 'AWS quota less reservations, raised on request';
  return [...capped, ['functions at once, without those that have a reservation', others, left, by]];
}

/**
 * Everything that the load's busiest second comes near, the soonest first: so many times the load reaches the limit.
 * Below 1 it does not fit. Quotas as of 21 November 2026.
 */
export function limitsOf(load: Load, usage: readonly Usage[]) {
  const { pushes, pushRequests, checkIns, callbacks } = eventsOf(load);
  const perSecond = (resource: Parameters<typeof sumOf>[1]) => sumOf(usage, resource, 'second');
  const attempts = atOnceOf(usage, (name) => name === 'DeliverCallback') * queues.batchSize;
  const ofPartner = (what: string, perSecond: number): Row => [
    `writes a second to ${what}`,
    perSecond / load.partners,
    keyWritesASecond,
    'AWS, fixed',
  ];
  const pushesOfPartner = (pushes.second * 60) / load.partners;
  const rows: Row[] = [
    // https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html
    ['HTTP requests a second', perSecond('httpRequests'), 10_000, onRequest],
    ['requests a second to the route of pushes', pushRequests.second, throttle.route.requestsPerSecond, ours],
    ['pushes a minute of one partner', pushesOfPartner, 1_000_000, 'agreed with the partner'],
    // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode-max-throughput.html
    ['write units a second of the table', perSecond('writes'), 40_000, onRequest],
    ['read units a second of the table', perSecond('reads'), 40_000, onRequest],
    // Of standard queues: known, no stored copy found.
    ['callbacks in flight', attempts, 120_000, onRequest],
    ...functionLimits(usage),
    // When the load is spread evenly over the partners.
    ofPartner('the rate row of one partner', pushes.second / Math.max(1_000, load.bulkSize)),
    ofPartner('the check-in counter of one offer', checkIns.second),
    ofPartner(
      'a bucket of one partner’s callbacks, while its endpoint is dead',
      callbacks.second / buckets.length,
    ),
  ];
  return rows
    .filter(([, used]) => used > 0)
    .map(([what, used, limit, by]) => ({ what, used, limit, multiple: limit / used, by }))
    .toSorted((a, b) => a.multiple - b.multiple);
}

export type Limit = ReturnType<typeof limitsOf>[number];
