import { configOf } from '../../infra/config.ts';
import { buckets } from '../../shared/table/keys.ts';
import {
  deliverTiming,
  dispatchOf,
  durationMs,
  fanOutTiming,
  receiptsTiming,
  sendBulkTiming,
  timings,
} from './durations.ts';
import { type Load, listsPerCheckIn, placesPerSlice, type Rates, ratesOf } from './load.ts';
import { type FunctionName, measuredUnits } from './measured-units.ts';
import { quotas } from './quotas.ts';
import { receiptMessagesPerBatch, receiptsPerMessage } from './usage.ts';

const config = configOf('prod');

/** How many functions must run at once: the rate of its invocations times how long one lasts. */
export interface Need {
  readonly name: FunctionName;
  readonly invocationsASecond: number;
  readonly ms: number;
  readonly atOnce: number;
  /** What infra/config.ts allows; absent: the account's quota alone. */
  readonly cap?: number;
}

export interface Limit {
  readonly what: string;
  readonly used: number;
  readonly limit: number;
  /** The load times this reaches the limit. Below 1: it does not fit. */
  readonly multiple: number;
  /** Who sets it. */
  readonly by: string;
}

export interface Demand {
  readonly writesASecond: number;
  readonly readsASecond: number;
  /** 1,000 write and 3,000 read units each, while they are spread evenly. A new table has four. */
  readonly partitions: number;
  readonly needs: readonly Need[];
  /** Of all functions, those with a reservation too. */
  readonly functionsAtOnce: number;
  /** The soonest first. */
  readonly limits: readonly Limit[];
  /** A list that is all new writes one key's partition, whatever the workers could do. 0: no lists are sent. */
  readonly newListSeconds: number;
}

function writesOf(load: Load, rates: Rates): number {
  const { fullPart, bulkRow, leaseOfRate, sendSingle, newState, openCheckIn, registerCheckIn } =
    measuredUnits;
  const bulk = load.bulkSize > 1;
  const perRequest = bulk
    ? (fullPart.writes * load.bulkSize) / 1_000 +
      bulkRow.writes +
      leaseOfRate.writes * Math.min(1, load.bulkSize / 1_000)
    : sendSingle.writes;
  return (
    rates.pushRequestsASecond * perRequest +
    rates.statesASecond * newState.writes +
    rates.failingCallbacksASecond *
      (measuredUnits.callbackFailingOnce.writes + measuredUnits.callbackRetry.writes) +
    rates.checkInsASecond * (openCheckIn.writes + registerCheckIn.writes) +
    rates.slicesASecond * (2 + 5 * load.changedPercent)
  );
}

function readsOf(load: Load, rates: Rates): number {
  const { bulkRecipient, receiptMessageOfBulk, receiptOfSingle, openCheckIn, listCheckIns, registerCheckIn } =
    measuredUnits;
  const perReceipt =
    load.bulkSize > 1 ? receiptMessageOfBulk.reads / receiptsPerMessage : receiptOfSingle.reads;
  return (
    rates.pushesASecond * bulkRecipient.reads +
    rates.statesASecond * perReceipt +
    rates.failingCallbacksASecond * measuredUnits.callbackFailingOnce.reads +
    rates.checkInsASecond *
      (openCheckIn.reads + listsPerCheckIn * listCheckIns.reads + registerCheckIn.reads) +
    rates.slicesASecond * placesPerSlice * measuredUnits.unchangedPlace.reads
  );
}

function need(name: FunctionName, invocationsASecond: number, ms: number, cap?: number): Need {
  return {
    name,
    invocationsASecond,
    ms,
    atOnce: (invocationsASecond * ms) / 1_000,
    ...(cap === undefined ? {} : { cap }),
  };
}

/** The gateway keeps a verdict, so a busy partner with one login is looked up once in that time. */
function verdictsASecond(load: Load, rates: Rates): number {
  return Math.min(
    rates.pushRequestsASecond + (listsPerCheckIn + 1) * rates.checkInsASecond,
    load.partners / config.authorizerCacheSeconds,
  );
}

function needsOf(load: Load, rates: Rates): Need[] {
  const { queues, reservedConcurrency: reserved } = config;
  const dispatch = dispatchOf(load.bulkSize);
  const batch = receiptsPerMessage * receiptMessagesPerBatch;
  const send: Need =
    load.bulkSize > 1
      ? need('SendBulk', rates.pushRequestsASecond, durationMs('SendBulk', sendBulkTiming(load.bulkSize)))
      : need('SendMessage', rates.pushRequestsASecond, durationMs('SendMessage', timings.SendMessage));
  return [
    need(
      'AuthorizePartner',
      verdictsASecond(load, rates),
      durationMs('AuthorizePartner', timings.AuthorizePartner),
      reserved.AuthorizePartner,
    ),
    send,
    need(
      'DispatchMessages',
      rates.pushRequestsASecond / dispatch.requests,
      durationMs('DispatchMessages', dispatch.timing),
    ),
    need(
      'RecordReceipts',
      rates.statesASecond / batch,
      durationMs('RecordReceipts', receiptsTiming(batch)),
      queues.receiptWorkers,
    ),
    need('FanOutStates', rates.callbacksASecond / 100, durationMs('FanOutStates', fanOutTiming(100))),
    need(
      'DeliverCallback',
      (rates.callbacksASecond + rates.failingCallbacksASecond) / queues.batchSize,
      durationMs('DeliverCallback', deliverTiming(queues.batchSize)),
      queues.callbackWorkers,
    ),
    need(
      'OpenCheckIn',
      rates.checkInsASecond,
      durationMs('OpenCheckIn', timings.OpenCheckIn),
      reserved.OpenCheckIn,
    ),
    need(
      'ListCheckIns',
      listsPerCheckIn * rates.checkInsASecond,
      durationMs('ListCheckIns', timings.ListCheckIns),
      reserved.ListCheckIns,
    ),
    need(
      'RegisterCheckIn',
      rates.checkInsASecond,
      durationMs('RegisterCheckIn', timings.RegisterCheckIn),
      reserved.RegisterCheckIn,
    ),
    need(
      'ProcessSlice',
      rates.slicesASecond,
      durationMs('ProcessSlice', timings.ProcessSlice),
      queues.sliceWorkers,
    ),
  ];
}

/** Reserved functions are free for nobody else, busy or not: the others share what the quota leaves. */
function unreserved(needs: readonly Need[]) {
  const reserved = new Map<string, number>(Object.entries(config.reservedConcurrency));
  return {
    used: needs.reduce((sum, { name, atOnce }) => sum + (reserved.has(name) ? 0 : atOnce), 0),
    limit: quotas.functionsAtOnce.limit - [...reserved.values()].reduce((sum, count) => sum + count, 0),
  };
}

function aws({ raised }: { raised: string }) {
  return raised === 'never' ? 'AWS, fixed' : 'AWS quota, raised on request';
}

const ours = 'infra/config.ts';

function limit(what: string, used: number, of: { limit: number; by: string }): Limit[] {
  return used > 0 ? [{ what, used, limit: of.limit, multiple: of.limit / used, by: of.by }] : [];
}

/** Of one partner's key, when load is spread evenly over the partners. */
function hotKeys(load: Load, rates: Rates): Limit[] {
  const { partitionWritesASecond } = quotas;
  const key = { limit: partitionWritesASecond.limit, by: aws(partitionWritesASecond) };
  const leases = load.bulkSize >= 1_000 ? rates.pushRequestsASecond : rates.pushesASecond / 1_000;
  return [
    ...limit('writes a second to the rate row of one partner', leases / load.partners, key),
    ...limit(
      'writes a second to the check-in counter of one offer',
      rates.checkInsASecond / load.partners,
      key,
    ),
    ...limit(
      'writes a second to a bucket of one partner’s callbacks, and to its shard of the index due, while its endpoint is dead',
      rates.callbacksASecond / load.partners / buckets.length,
      key,
    ),
  ];
}

export function demandOf(load: Load): Demand {
  const rates = ratesOf(load);
  const writesASecond = writesOf(load, rates);
  const readsASecond = readsOf(load, rates);
  const partitions = Math.max(
    quotas.newTableWritesASecond.limit / quotas.partitionWritesASecond.limit,
    Math.ceil(writesASecond / quotas.partitionWritesASecond.limit),
    Math.ceil(readsASecond / quotas.partitionReadsASecond.limit),
  );
  const needs = needsOf(load, rates);
  const functionsAtOnce = needs.reduce((sum, { atOnce }) => sum + atOnce, 0);
  const atOnceOf = (name: FunctionName) => needs.find((one) => one.name === name)?.atOnce ?? 0;
  // A check-in is opened, listed and registered.
  const httpRequests = rates.pushRequestsASecond + (2 + listsPerCheckIn) * rates.checkInsASecond;
  const others = unreserved(needs);
  const quota = (name: keyof typeof quotas) => ({ limit: quotas[name].limit, by: aws(quotas[name]) });
  const limits = [
    ...limit('HTTP requests a second', httpRequests, quota('httpRequestsASecond')),
    ...limit('requests a second to the route of pushes', rates.pushRequestsASecond, {
      limit: config.throttle.route.requestsPerSecond,
      by: ours,
    }),
    ...limit('pushes a minute of one partner', (rates.pushesASecond * 60) / load.partners, {
      limit: 1_000_000,
      by: 'agreed with the partner',
    }),
    ...limit('write units a second of the table', writesASecond, quota('tableWritesASecond')),
    ...limit('read units a second of the table', readsASecond, quota('tableReadsASecond')),
    ...limit('functions at once, without those that have a reservation', others.used, {
      limit: others.limit,
      by: 'AWS quota less reservations, raised on request',
    }),
    ...needs.flatMap(({ name, atOnce, cap }) =>
      cap === undefined ? [] : limit(`${name} at once`, atOnce, { limit: cap, by: ours }),
    ),
    ...limit(
      'callbacks in flight',
      atOnceOf('DeliverCallback') * config.queues.batchSize,
      quota('messagesInFlight'),
    ),
    ...limit('calls a second of places-sync.fifo', rates.slicesASecond, quota('fifoCallsASecond')),
    ...hotKeys(load, rates),
  ].toSorted((a, b) => a.multiple - b.multiple);
  return {
    ...{ writesASecond, readsASecond, partitions, needs, functionsAtOnce, limits },
    newListSeconds: load.syncsADay > 0 ? load.places / quotas.partitionWritesASecond.limit : 0,
  };
}
