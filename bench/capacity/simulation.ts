import { configOf } from '../../infra/config.ts';
import { buckets } from '../../shared/table/keys.ts';
import { ageMeter } from './age.ts';
import { chanceFrom } from './chance.ts';
import { deadEndpoint } from './dead-endpoint.ts';
import { type Queue, serve, workerPool } from './delivery.ts';
import { deliverTiming, durationMs, fanOutTiming, receiptsTiming } from './durations.ts';
import { quotas } from './quotas.ts';
import { receiptMessagesPerBatch, receiptsPerMessage } from './usage.ts';

/**
 * The push and callback path, second by second. Flows, not single messages: in a tick a queue gives what its
 * workers can take, and messages of a queue are alike but for their kind of partner. Not followed: cold starts,
 * repeats, the table's own throttling except under a dead partner's keys, probes of open circuits, the batches by
 * which instances learn that an endpoint is slow, and who SQS takes for noisy: partners that share a batch are in flight equally long, so shares do not tell them apart.
 */
export interface Scenario {
  readonly name: string;
  readonly pushesAMinute: number;
  readonly minutes: number;
  /** Minutes that are looked at in all. */
  readonly followedMinutes: number;
  readonly partners: number;
  /** One of the partners answers after this long; 0: like all others. */
  readonly slowSeconds: number;
  /** One of the partners never answers. */
  readonly oneDead: boolean;
  readonly receiptWorkers: number;
  readonly callbackWorkers: number;
  /** Partitions under which a partner's callbacks and their entries of the index lie. */
  readonly partitionsOfPartner: number;
  /** Slow endpoints have a queue and workers of their own; 0: they have not. */
  readonly slowLaneWorkers: number;
}

const { queues } = configOf('prod');

const asConfigured: Scenario = {
  name: 'as configured',
  pushesAMinute: 1_000_000,
  minutes: 60,
  followedMinutes: 180,
  partners: 10,
  slowSeconds: 3,
  oneDead: true,
  receiptWorkers: queues.receiptWorkers,
  callbackWorkers: queues.callbackWorkers,
  partitionsOfPartner: buckets.length,
  slowLaneWorkers: queues.slowCallbackWorkers,
};

const more = { receiptWorkers: 100, callbackWorkers: 800 };

export const scenarios: readonly Scenario[] = [
  { ...asConfigured, name: 'as configured, every endpoint well', slowSeconds: 0, oneDead: false },
  { ...asConfigured, name: 'as configured, one dead', slowSeconds: 0 },
  { ...asConfigured, name: 'as configured, one dead, one slow' },
  { ...asConfigured, name: 'without the slow lane, one dead, one slow', slowLaneWorkers: 0 },
  { ...asConfigured, ...more, name: 'more workers, one dead, one slow' },
];

/** One minute: the state at its end. */
export interface Minute {
  readonly minute: number;
  readonly receiptsWaiting: number;
  readonly recordsWaiting: number;
  readonly iteratorAgeSeconds: number;
  /** Of partners whose endpoint is well. */
  readonly callbacksWaiting: number;
  readonly callbackAgeSeconds: number;
  readonly callbacksDelivered: number;
  readonly inFlightHidden: number;
  readonly rowsOfDead: number;
  readonly deadLetters: number;
}

/** Assumed: a phone shows a push 10 s after it was accepted, and its owner opens it two minutes later, on average. */
const phone = { deliversAfterSeconds: 10, opensAfterSeconds: 120 } as const;

const receiptsASecondOfWorker = (() => {
  const receipts = receiptsPerMessage * receiptMessagesPerBatch;
  return (receipts * 1_000) / durationMs('RecordReceipts', receiptsTiming(receipts));
})();
const recordsASecondOfShard = 100_000 / durationMs('FanOutStates', fanOutTiming(100));
/** A table that was told beforehand: one partition, and one shard, for each 1,000 writes a second of its quota. */
const shards = quotas.tableWritesASecond.limit / quotas.partitionWritesASecond.limit;

/** What phones report, second by second. */
function phones({ pushesAMinute, minutes }: Scenario) {
  let shown = 0;
  return (now: number): number => {
    const since = now - phone.deliversAfterSeconds;
    const delivered = since >= 0 && since < minutes * 60 ? pushesAMinute / 60 : 0;
    const opened = shown / phone.opensAfterSeconds;
    shown += delivered - opened;
    return delivered + opened;
  };
}

/** From receipts to messages of the callbacks queue: two stages, each a backlog and a rate. */
function stages(scenario: Scenario) {
  const pool = workerPool({ cap: scenario.receiptWorkers });
  const age = ageMeter();
  let receipts = 0;
  let records = 0;
  return {
    tick: (now: number, reported: number) => {
      receipts += reported;
      const recorded = Math.min(
        receipts,
        pool.free(now) * receiptsASecondOfWorker,
        quotas.tableWritesASecond.limit,
      );
      receipts -= recorded;
      records += recorded;
      const fannedOut = Math.min(records, shards * recordsASecondOfShard);
      records -= fannedOut;
      return { receipts, records, fannedOut, iteratorAge: age.tick(recorded, fannedOut) };
    },
  };
}

function emptyQueue(scenario: Scenario): Queue {
  return {
    healthy: { waiting: 0, batchSeconds: durationMs('DeliverCallback', deliverTiming(10)) / 1_000 },
    slow: { waiting: 0, batchSeconds: scenario.slowSeconds || 1 },
    dead: scenario.oneDead
      ? deadEndpoint(scenario.partitionsOfPartner * quotas.partitionWritesASecond.limit)
      : undefined,
  };
}

/** Minute by minute, the same for the same seed. */
export function simulate(scenario: Scenario, seed = 1): Minute[] {
  const chance = chanceFrom(seed);
  const report = phones(scenario);
  const upstream = stages(scenario);
  const queue = emptyQueue(scenario);
  const { healthy, slow, dead } = queue;
  const main = { pool: workerPool({ cap: scenario.callbackWorkers }), batchSize: queues.batchSize };
  const lane = { pool: workerPool({ cap: scenario.slowLaneWorkers }), batchSize: queues.batchSize };
  const passing = { waiting: 0, batchSeconds: healthy.batchSeconds };
  const none = { waiting: 0, batchSeconds: 1 };
  const age = ageMeter();
  const one = 1 / scenario.partners;
  const well = 1 - (scenario.slowSeconds > 0 ? one : 0) - (dead ? one : 0);
  const found: Minute[] = [];
  let delivered = 0;
  for (let now = 0; now < scenario.followedMinutes * 60; now++) {
    const { receipts, records, fannedOut, iteratorAge } = upstream.tick(
      now,
      report(now) * chance.around1(0.02),
    );
    healthy.waiting += fannedOut * well;
    const toSlow = scenario.slowSeconds > 0 ? fannedOut * one : 0;
    const came = passing.waiting + toSlow;
    if (scenario.slowLaneWorkers > 0) passing.waiting = came;
    else slow.waiting += toSlow;
    dead?.arrive(now, fannedOut * one);
    let served = 0;
    if (scenario.slowLaneWorkers > 0) {
      // A message that is passed on takes a place in a batch, and no time worth counting.
      served = serve({ healthy, slow: passing, dead }, now, main);
      slow.waiting += came - passing.waiting;
      serve({ healthy: none, slow, dead: undefined }, now, lane);
    } else served = serve(queue, now, main);
    delivered += served;
    const callbackAgeSeconds = age.tick(fannedOut * well, served);
    if ((now + 1) % 60 === 0) {
      const { hidden, rows, deadLetters } = dead?.seen() ?? { hidden: 0, rows: 0, deadLetters: 0 };
      found.push({
        ...{ minute: (now + 1) / 60, receiptsWaiting: receipts, recordsWaiting: records },
        ...{ iteratorAgeSeconds: iteratorAge, callbacksWaiting: healthy.waiting, callbackAgeSeconds },
        ...{ callbacksDelivered: delivered, inFlightHidden: hidden, rowsOfDead: rows, deadLetters },
      });
    }
  }
  return found;
}
