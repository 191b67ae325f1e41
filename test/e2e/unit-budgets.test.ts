import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Actors, reach, startActors } from '../../bench/flows/actors.ts';
import { bulkFlow, type Flow, messageFlow, syncFlows } from '../../bench/flows/flows.ts';
import { sumConsumed } from '../../local/engines/consumption.ts';
import { jsonCaller } from '../../local/engines/json-call.ts';
import type { FunctionPool } from '../../local/functions/function-pool.ts';
import { isCi } from '../support/property-runs.ts';

type Budget = { read: number; write: number; queueRequests: number; invocations: number };

function budget(read: number, write: number, queueRequests: number, invocations: number): Budget {
  return { read, write, queueRequests, invocations };
}

/**
 * Each step (send, dispatch, record, fan out, deliver) takes an invocation at least, with two messages between them. The
 * larger budgets leave room for a busy machine, where batches are smaller and a callback may take the slow lane.
 */
const bulkBudgets = new Map([
  [1, budget(3.5, 4, 2, 5)],
  [100, budget(55, 8, 5, 8)],
  [1_000, budget(550, 50, 20, 25)],
  [10_000, budget(5_500, 400, 120, 80)],
]);

/**
 * Budgets of a new list, an unchanged one, and one with 1 % changed. A list that changes something writes its event (3 units)
 * and the points that it changes (1), and reads up to 100 of those to update. The second list within ten seconds costs one write
 * more, which counts it against the partner's budget of requests.
 */
const syncBudgets = new Map([
  [10, [budget(4, 19, 2, 2), budget(5, 4, 2, 2), budget(6, 10, 2, 2)]],
  [1_000, [budget(4, 1_009, 2, 2), budget(122, 4, 2, 2), budget(127, 18, 2, 2)]],
  [10_000, [budget(4, 10_009, 8, 2), budget(1_141, 4, 8, 2), budget(1_220, 109, 8, 2)]],
]);

type Case = { flow: Flow; most: Budget; callsBack: boolean };

/** A laptop leaves the largest to CI, which take longer than all others. */
function isMeasured({ flow }: Case): boolean {
  return isCi || flow.series.size < 10_000;
}

// FanOutStates reads the events of lists some time later, so the flows in which it is counted come first.
const cases = [
  // Half a unit for the recipient, half each for the receipts, the stream and the endpoint; a write each for the message,
  // its states and the lease of the rate.
  { flow: messageFlow, most: budget(2.5, 3, 2, 5), callsBack: true },
  ...[...bulkBudgets].map(([size, most]) => ({ flow: bulkFlow(size), most, callsBack: true })),
  ...[...syncBudgets].flatMap(([size, budgets]) =>
    syncFlows(size).map((flow, n) => ({ flow, most: budgets[n] as Budget, callsBack: false })),
  ),
].filter(isMeasured);

/** The invocations since the last time, by the ids of the functions. */
const invoked: string[] = [];
let mayFanOut = Promise.resolve();
/** Resolves when FanOutStates has read the event of what startActors() changes. */
const begun = Promise.withResolvers<void>();

/**
 * Counts the invocations of a function, and keeps FanOutStates waiting. On a busy machine ten instances of a function
 * slow each other down until the partner counts as slow, and its callbacks pass through one more queue, which would be
 * counted too: two are enough.
 */
function wrapPool(pool: FunctionPool, id: string): FunctionPool {
  return {
    ...pool,
    concurrency: Math.min(pool.concurrency, 2),
    invoke: async (event, options) => {
      if (id === 'FanOutStates') await mayFanOut;
      invoked.push(id);
      const result = await pool.invoke(event, options);
      if (id === 'FanOutStates' && JSON.stringify(event).includes('log changed')) begun.resolve();
      return result;
    },
  };
}

/** Resolves when every receipt has been processed. */
async function allRecorded({ service }: Actors): Promise<void> {
  const sqs = jsonCaller(service.sqs, 'sqs');
  const kinds = ['', 'NotVisible', 'Delayed'].map((kind) => `ApproximateNumberOfMessages${kind}`);
  // A message of push-outbox is deleted when its last receipt has been sent.
  for (const name of ['push-outbox', 'delivery-receipts']) {
    const input = { QueueUrl: service.queues[name], AttributeNames: kinds };
    const missing = async () => {
      const { Attributes } = await sqs<{ Attributes: Record<string, string> }>('GetQueueAttributes', input);
      return -kinds.reduce((total, kind) => total + Number(Attributes[kind]), 0);
    };
    await reach(`taken from ${name}`, missing, 0);
  }
}

/** Functions whose number of invocations varies (a cached verdict, and two that are polled), or that only simulate. */
const uncounted = ['AuthorizePartner', 'GetSync', 'GetDeliveryHistory'];
const walletPlatform = ['ShowMessages', 'ReportReceipts', 'RemoveMessages'];

const cleanup = new AsyncDisposableStack();
let actors: Actors;
let taken: (callsBack: boolean) => Promise<Budget & { tableCalls: number }>;
beforeAll(async () => {
  // The schedule does not run meanwhile: both readers of the stream are invoked for its heartbeat.
  const options = { metered: true, wrapPool, retrySpeed: 0.001 };
  const started = await startActors(cleanup, options);
  actors = started.actors;
  await begun.promise;
  taken = async (callsBack) => {
    const others = [...uncounted, ...walletPlatform, ...(callsBack ? [] : ['FanOutStates'])];
    const consumed = (await started.running.meter?.taken()) ?? [];
    const total = sumConsumed(consumed.filter(({ functionName }) => !others.includes(functionName)));
    return { ...total, invocations: invoked.splice(0).filter((id) => !others.includes(id)).length };
  };
});
afterAll(() => cleanup.disposeAsync());

test.for(cases)(
  '$flow.name: stays within its budget of units, requests and invocations',
  { timeout: 240_000 },
  async ({ flow, most, callsBack }, { annotate }) => {
    await flow.before?.(actors);
    await taken(callsBack);
    // FanOutStates waits until every receipt is recorded, so that its batches are full whatever the machine's speed.
    const { promise, resolve } = Promise.withResolvers<void>();
    if (callsBack) mayFanOut = promise;
    await flow.run(actors, () => allRecorded(actors).then(resolve)).finally(resolve);
    const total = await taken(callsBack);
    await annotate(JSON.stringify(total));
    expect(total.tableCalls).toBeGreaterThan(0);
    for (const column of ['read', 'write', 'queueRequests', 'invocations'] as const)
      expect(total[column], column).toBeLessThanOrEqual(most[column]);
  },
);
