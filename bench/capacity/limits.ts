import { queues, stageConfig } from '../../infra/config.ts';
import { dueShards } from '../../shared/platform/table/row-keys/callbacks.ts';
import { buckets } from '../../shared/platform/table/row-keys/row-key.ts';
import { countEvents, type Load } from './load.ts';
import { leasedAtLeast } from './usage.ts';
import { sumUsage, type Usage } from './use.ts';

const { reservedConcurrency: reserved, route, pushesPerMinute } = stageConfig('prod');
const ours = 'infra/config.ts';
const onRequest = 'AWS quota, raised on request';

/** One partition takes this much, and therefore one key: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/warm-throughput-scenarios.html */
const keyWritesASecond = 1_000;

/**
 * An execution serves so many requests a second, however short they are, and therefore a function ten times what it has
 * reserved: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html#api-requests
 */
const requestsPerExecution = 10;

/** How many functions must run at once: the rate of their invocations times how long one lasts. */
function countAtOnce(usage: readonly Usage[], counts: (name: string) => boolean): number {
  const counted = usage.filter(({ run }) => run && counts(run.name));
  return counted.reduce((sum, { run, times }) => sum + times.second * ((run?.ms ?? 0) / 1_000), 0);
}

/** A limit, how much of it the load uses, and who sets it. */
type LimitRow = readonly [what: string, used: number, limit: number, by: string];

function functionLimits(usage: readonly Usage[]): LimitRow[] {
  const caps = {
    ...reserved,
    RecordReceipts: queues.receiptWorkers,
    DeliverCallback: queues.callbackWorkers,
    ProcessSync: queues.listWorkers,
  };
  const capped = Object.entries(caps).map(
    ([name, cap]): LimitRow => [`${name} at once`, countAtOnce(usage, (other) => other === name), cap, ours],
  );
  const rates = Object.entries(reserved).map(([name, count]): LimitRow => {
    const requests = usage.filter(({ run }) => run?.name === name);
    const used = requests.reduce((sum, { times }) => sum + times.second, 0);
    return [`requests a second to ${name}`, used, count * requestsPerExecution, ours];
  });
  // A reservation counts whether it is used or not, so the other functions share what it leaves of the quota of 1,000.
  // https://serverlessland.com/content/service/lambda/guides/aws-lambda-operator-guide/scaling-concurrency
  const left = 1_000 - Object.values(reserved).reduce((sum, count) => sum + count, 0);
  const others = countAtOnce(usage, (name) => reserved[name] === undefined);
  const by = 'AWS quota less reservations, raised on request';
  return [
    ...capped,
    ...rates,
    ['functions at once, without those that have a reservation', others, left, by],
  ];
}

/**
 * The limits that the load's busiest second comes near, nearest first. `multiple` says how many times the load reaches
 * the limit; below 1 the load does not fit. Quotas are as of 21 November 2026.
 */
export function estimateLimits(load: Load, usage: readonly Usage[]) {
  const { pushes, pushRequests, checkIns, callbacks, failingCallbacks } = countEvents(load);
  const perSecond = (resource: Parameters<typeof sumUsage>[1]) => sumUsage(usage, resource, 'second');
  const attempts = countAtOnce(usage, (name) => name === 'DeliverCallback') * queues.batchSize;
  const ofPartner = (what: string, writes: number): LimitRow => {
    return [`writes a second to ${what}`, writes / load.partners, keyWritesASecond, 'AWS, fixed'];
  };
  /** One that fails puts an entry, its claim moves that, and its outcome deletes it. A move is two writes. */
  const entriesOfFailing = 4 * failingCallbacks.second;
  const perBucket = callbacks.second / buckets.length;
  const pushesOfPartner = (pushes.second * 60) / load.partners;
  const rows: LimitRow[] = [
    // https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html
    ['HTTP requests a second', perSecond('httpRequests'), 10_000, onRequest],
    ['requests a second to the route of pushes', pushRequests.second, route.requestsPerSecond, ours],
    ['pushes a minute of one partner', pushesOfPartner, pushesPerMinute, 'more can be agreed'],
    // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode-max-throughput.html
    ['write units a second of the table', perSecond('writes'), 40_000, onRequest],
    ['read units a second of the table', perSecond('reads'), 40_000, onRequest],
    // The quota of standard queues is known; no stored copy of a page was found.
    ['callbacks in flight', attempts, 120_000, onRequest],
    ...functionLimits(usage),
    [
      'writes a second to a shard of the index `due`',
      entriesOfFailing / dueShards.length,
      keyWritesASecond,
      'AWS, fixed',
    ],
    // These assume that the load is spread evenly over the partners.
    ofPartner('the rate row of one partner', pushes.second / Math.max(leasedAtLeast, load.bulkSize)),
    ofPartner('the list of one partner’s sends', load.bulkSize > 1 ? pushRequests.second : 0),
    ofPartner('the check-in counter of one offer', checkIns.second),
    ofPartner('a bucket of one partner’s callbacks, while its endpoint is dead', perBucket),
  ];
  return rows
    .filter(([, used]) => used > 0)
    .map(([what, used, limit, by]) => ({ what, used, limit, multiple: limit / used, by }))
    .toSorted((a, b) => a.multiple - b.multiple);
}

export type Limit = ReturnType<typeof estimateLimits>[number];
