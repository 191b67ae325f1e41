import { deliverCallback } from '../../../functions/callbacks/deliver-callback.ts';
import { fanOutStates } from '../../../functions/callbacks/fan-out-states.ts';
import { sweepDue } from '../../../functions/callbacks/sweep-due.ts';
import type { Callback } from '../../../shared/callbacks/callback.ts';
import { firstMessage } from '../../../shared/callbacks/callback-message.ts';
import { type DeliveryDeps, deliveryDeps } from '../../../shared/callbacks/delivery/deps.ts';
import { type Circuit, closed } from '../../../shared/callbacks/endpoint/circuit.ts';
import type { Endpoint } from '../../../shared/callbacks/endpoint/endpoint.ts';
import { endpointStore } from '../../../shared/callbacks/endpoint/endpoint-store.ts';
import { failedCallbacks } from '../../../shared/callbacks/endpoint/failed-callbacks.ts';
import { endpointSettings } from '../../../shared/callbacks/endpoint/settings.ts';
import { deliveredLog } from '../../../shared/callbacks/feed/delivered-log.ts';
import { replayLimit } from '../../../shared/callbacks/limits.ts';
import { callbackList } from '../../../shared/callbacks/listing/list.ts';
import { callbackReplay } from '../../../shared/callbacks/listing/replay.ts';
import { callbackStore, type Progress } from '../../../shared/callbacks/rows/callback-store.ts';
import { dueIndex } from '../../../shared/callbacks/rows/due-index.ts';
import type { AttemptResult } from '../../../shared/platform/egress/attempt-result.ts';
import { guardedClient } from '../../../shared/platform/egress/guarded-client.ts';
import { addressPolicy } from '../../../shared/platform/egress/public-address.ts';
import type { SignedRequest } from '../../../shared/platform/egress/signed-request.ts';
import { parkedStore } from '../../../shared/platform/queues/parked-store.ts';
import { sendAll } from '../../../shared/platform/queues/queue.ts';
import { inParallel } from '../../../shared/platform/runtime/in-parallel.ts';
import { heartbeatStore } from '../../../shared/platform/stream/heartbeats.ts';
import { deadlineStore } from '../../../shared/push/deadlines/deadline-store.ts';
import { deliveryStateStore } from '../../../shared/push/delivery-state-store.ts';
import { messageStore } from '../../../shared/push/message-store.ts';
import { fakeClock, noon } from '../../support/clock.ts';
import { clockedQueue } from '../../support/clocked-queue.ts';
import { fakeIds } from '../../support/ids.ts';
import { newTable } from '../../support/table.ts';
import { virtualSleep } from '../../support/virtual-sleep.ts';
import { loopbackPartner, reply } from './loopback-partner.ts';

type Kept = { partnerId?: string; dueAt?: number; tries?: number; waitsForCircuit?: true };

export type Attempted = { url: string; messageId: string; id: string; atMs: number };

export const ok: AttemptResult = { ok: true, httpStatus: 200, durationMs: 50 };
/** The worker itself had no connection left. */
export const noSocket: AttemptResult = { ok: false, error: 'local', durationMs: 1 };

const signingSecret = 'whsec_YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWE=';

const delivered = { partnerId: 'bars', state: 'DELIVERED', msisdn: 79001234567 } as const;

/** Sets up the functions of area E around one table and one queue; `work` stands in for the event source mapping. */
export async function callbacksRig() {
  const table = await newTable();
  const clock = fakeClock();
  // Tests take messages as they are sent, and set the clock to the time at which a delayed one would come.
  const newQueue = () => clockedQueue(clock, { delaying: false });
  const [queue, slowQueue] = [newQueue(), newQueue()];
  const ids = fakeIds();
  const endpoints = endpointStore(table);
  const callbacks = callbackStore(table);
  const parked = parkedStore(table);
  const outside = {
    table,
    queue,
    clock,
    sleepUntil: virtualSleep(clock),
    ids,
    random: () => 0.5,
    retrySpeed: 1,
    // Addresses of tests are no names, which have no IPv4 address here.
    client: guardedClient(addressPolicy('loopback-too'), async () => []),
    lane: { name: 'fast', slowQueue } as const,
    logByDefault: 'failures' as const,
  };
  /** Returns a worker of its own, which starts without any knowledge of endpoints. */
  const newWorker = (change: Partial<DeliveryDeps> = {}) =>
    deliverCallback({ ...deliveryDeps(outside), ...change });
  const worker = newWorker();
  const sweepDeps = {
    due: dueIndex(table),
    endpoints,
    failedCallbacks: failedCallbacks(table),
    deadlines: deadlineStore(table),
    heartbeats: heartbeatStore(table),
    deadlinesQueue: newQueue(),
    queue,
    clock,
  };
  const newSweep = (change: Partial<Parameters<typeof sweepDue>[0]> = {}) =>
    sweepDue({ ...sweepDeps, ...change });
  const sweep = newSweep();

  /** Sends a new state of messages, as the fan-out of states does for neighbours in a bulk send. */
  const changeTogether = (messageIds: readonly string[], more: Partial<Callback> = {}) => {
    const recordedAt = Math.floor(clock.now() / 1_000) * 1_000;
    const told = { ...delivered, changedAt: clock.now(), recordedAt, ...more };
    const body = firstMessage(messageIds.map((messageId) => ({ ...told, messageId })));
    return sendAll(queue, [{ body, group: told.partnerId }]);
  };
  const change = (messageId: string, more?: Partial<Callback>) => changeTogether([messageId], more);
  /** Keeps a callback that waits for its next attempt: of bars and due now, if a test says no more. */
  const keepOne = async (
    messageId: string,
    { partnerId = 'bars', dueAt = clock.now(), ...more }: Kept = {},
  ) => {
    const progress: Progress = { status: 'waiting', tries: 1, attempts: [], dueAt, ...more };
    await callbacks.create({ ...delivered, partnerId, messageId, changedAt: 1 }, progress, clock.now());
  };
  const records = queue.arrived;
  /** Processes what the queue holds, once: messages sent meanwhile wait for the next call. */
  const work = async (handler = worker) => {
    const taken = records();
    const { batchItemFailures } = await handler({ Records: taken });
    return { taken: taken.length, failed: batchItemFailures.length };
  };
  /** Lets the sweep send what is due, and a worker process it. */
  const sweepAndWork = async (handler = worker) => {
    await sweep();
    return work(handler);
  };
  const row = async (messageId: string) =>
    (await table.rows()).find(({ sk }) => sk === `${messageId}#DELIVERED`);
  const setCircuit = (circuit: Circuit, endpointId = 'bars') =>
    endpoints.stepCircuit(endpointId, () => circuit, { nowMs: clock.now() });
  return {
    table,
    queue,
    slowQueue,
    clock,
    endpoints,
    list: callbackList(table),
    replay: callbackReplay(table, clock),
    replayLimit: replayLimit(table),
    callbacks,
    settings: endpointSettings(table, clock, fakeIds()),
    delivered: deliveredLog(table, clock),
    messages: messageStore(table),
    states: deliveryStateStore(table),
    fanOut: fanOutStates({ messages: messageStore(table), endpoints, queue, parked, clock }),
    sweep,
    newSweep,
    worker,
    newWorker,
    /** A partner that answers as `answer` says, and the attempts it has seen. */
    partnerThat: (answer: (attempt: Attempted) => AttemptResult | Promise<AttemptResult>) => {
      const attempts: Attempted[] = [];
      const post = async ({ url, headers, body }: Pick<SignedRequest, 'url' | 'headers' | 'body'>) => {
        const { messageId } = JSON.parse(body) as { messageId: string };
        const attempt = { url, messageId, id: headers['webhook-id'] ?? '', atMs: clock.now() - noon };
        attempts.push(attempt);
        return answer(attempt);
      };
      return { attempts, client: { post } };
    },
    saveEndpoint: (url: string, more: Partial<Endpoint> = {}) =>
      endpoints.save({
        partnerId: 'bars',
        url,
        signingSecrets: [{ secret: signingSecret, createdAt: 1 }],
        timeoutMs: 5_000,
        status: 'enabled',
        ...more,
      }),
    change,
    changeTogether,
    keepOne,
    keepMany: (count: number, kept?: Kept) => {
      const ids = Array.from({ length: count }, (_, n) => `m${n}`);
      // The client has 50 sockets, so more calls at a time would only queue.
      return inParallel(50, ids, (id) => keepOne(id, kept));
    },
    records,
    /** Returns what the messages of the queue say. */
    sent: () => records().map(({ body }) => JSON.parse(body)),
    /** Returns the messages that were passed on to the slow lane. */
    slowRecords: slowQueue.arrived,
    work,
    changeAndWork: async (messageId: string, more?: Partial<Callback>) => {
      await change(messageId, more);
      return work();
    },
    sweepAndWork,
    row,
    circuit: async () => (await table.rows()).find(({ sk }) => sk === 'CIRCUIT'),
    setCircuit,
    /** Closes the circuit of bars, so that its deferred callbacks may come forward. */
    closeCircuit: async () => {
      await setCircuit(closed(clock.now()));
      clock.advance(10_000);
    },
    deferred: async () => (await table.rows()).filter(({ waitsForCircuit }) => waitsForCircuit),
    /** Advances to the time a row is due, and has it processed through the queue. */
    retry: async (messageId: string) => {
      clock.set(Number((await row(messageId))?.['dueAt']));
      return sweepAndWork();
    },
  };
}

/** The rig with an endpoint of bars that listens. */
export async function rigWithPartner() {
  const rig = await callbacksRig();
  const partner = await loopbackPartner();
  await rig.saveEndpoint(partner.url);
  /** Opens the circuit of bars for 30 s by five refusals in a row. */
  const openCircuit = async () => {
    partner.responses(reply(500));
    for (let n = 1; n <= 5; n++) await rig.change(`m${n}`);
    await rig.work();
    rig.records(); // discards the delayed messages
  };
  return { ...rig, partner, openCircuit };
}
