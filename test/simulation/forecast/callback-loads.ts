import { BatchWriteItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { callbackStore } from '../../../shared/callbacks/retries/store.ts';
import type { Table } from '../../../shared/platform/table/table.ts';
import type { SimulatedPartner } from '../actors/partners.ts';
import { overPace } from '../endpoint-pace.ts';
import type { Load, Stage } from './load.ts';

const firstPhone = 79_200_000_000;
const numbersOfCall = 1_000;
const hourMs = 3_600_000;

function phones(count: number): number[] {
  return Array.from({ length: count }, (_, n) => firstPhone + n);
}

async function registerPhones({ ask, alpha }: Stage, count: number): Promise<void> {
  const all = phones(count);
  for (let from = 0; from < count; from += numbersOfCall)
    await ask(alpha, 'PUT /wallet/recipients', { registered: all.slice(from, from + numbersOfCall) });
}

function pushTo(msisdn: number | readonly number[]) {
  return {
    pushType: 'SERVICE',
    payload: { title: 'Forecast', message: 'Forecast' },
    qos: { deliveryStatusNotifications: true },
    utm: { utmSource: 'forecast' },
    msisdn,
  };
}

/** Returns the time from a receipt's arrival in the queue to the call, for each callback that was taken. */
function latenciesOf({ world }: Stage, { received }: SimulatedPartner): number[] {
  return received
    .filter(({ mood }) => mood === 'is well')
    .map(({ atMs, webhookId }) => atMs - (world.wallet.postedAt.get(webhookId) ?? atMs));
}

/** Returns a function that counts the callbacks that a partner has taken, each once, however often it was called. */
function takenCounter({ received }: SimulatedPartner): () => number {
  const taken = new Set<string>();
  let counted = 0;
  return () => {
    for (const { mood, webhookId } of received.slice(counted)) if (mood === 'is well') taken.add(webhookId);
    counted = received.length;
    return taken.size;
  };
}

/** Each recipient causes two callbacks: delivered and opened. */
const recipients = 10_000;
const callbacks = 2 * recipients;

const bulk: Load = {
  prepare: (stage) => registerPhones(stage, recipients),
  run: async (stage) => {
    const { alpha, ask, until } = stage;
    const taken = takenCounter(alpha);
    const { status } = await ask(alpha, 'POST /push/bulk/single', pushTo(phones(recipients)));
    if (status === 200) await until(() => taken() >= callbacks, hourMs);
    return { failed: callbacks - taken(), latenciesMs: latenciesOf(stage, alpha) };
  },
};

/**
 * An endpoint has a pace of 50 a second and a server that responds 429 to more, and 20,000 callbacks are due. The
 * latencies are those of another partner. An attempt above the pace in any second counts as failed.
 */
const pacedEndpoint: Load = {
  prepare: async (stage) => {
    const { alpha, ask, sleep } = stage;
    await registerPhones(stage, recipients);
    await ask(alpha, 'PUT /callbacks/endpoint', { maxPerSecond: 50 });
    // Workers trust what they know of an endpoint for less time than this.
    await sleep(10_000);
  },
  run: async (stage) => {
    const { alpha, beta, ask, sleep, until, world } = stage;
    Object.assign(alpha, { mood: 'has a rate limit', perSecond: 61, retryAfter: '900' });
    const [taken, takenByOther] = [takenCounter(alpha), takenCounter(beta)];
    const { status } = await ask(alpha, 'POST /push/bulk/single', pushTo(phones(recipients)));
    const others = 120;
    for (let n = 0; n < others; n++) {
      await ask(beta, 'POST /push/delivery', pushTo(firstPhone));
      await sleep(3_000);
    }
    if (status === 200) await until(() => taken() >= callbacks && takenByOther() >= 2 * others, hourMs);
    const refused = alpha.received.filter(({ mood }) => mood === 'is busy').length;
    const begun = world.exchanges.filter(({ partnerId }) => partnerId === alpha.partnerId);
    const tooMany = overPace(begun, 50).length;
    const untold = callbacks - taken() + 2 * others - takenByOther();
    return { failed: untold + refused + tooMany, latenciesMs: latenciesOf(stage, beta) };
  },
};

/** An endpoint fails for an hour while 20,000 callbacks are due. The latencies are those of another partner. */
const deadEndpoint: Load = {
  prepare: (stage) => registerPhones(stage, recipients),
  run: async (stage) => {
    const { alpha, beta, ask, sleep, until, world } = stage;
    alpha.mood = 'fails';
    world.time.after(hourMs, () => {
      alpha.mood = 'is well';
    });
    const [taken, takenByOther] = [takenCounter(alpha), takenCounter(beta)];
    const { status } = await ask(alpha, 'POST /push/bulk/single', pushTo(phones(recipients)));
    const others = 120;
    for (let n = 0; n < others; n++) {
      await ask(beta, 'POST /push/delivery', pushTo(firstPhone));
      await sleep(hourMs / others);
    }
    const isTold = () => taken() >= callbacks && takenByOther() >= 2 * others;
    if (status === 200) await until(isTold, 12 * hourMs);
    const untold = callbacks - taken() + 2 * others - takenByOther();
    return { failed: untold, latenciesMs: latenciesOf(stage, beta) };
  },
};

/** Writes rows of callbacks as the service does, but without taking the time that the service would need. */
async function storeCallbacks({ world, alpha }: Stage, count: number): Promise<void> {
  const rows: object[] = [];
  const send = async ({ input }: { input: { Item: object } }) => {
    rows.push(input.Item);
    return {};
  };
  const store = callbackStore({ ...world.table, client: { send } as unknown as Table['client'] });
  const now = world.time.now();
  for (let n = 0; n < count; n++) {
    const messageId = `${String(n).padStart(8, '0')}-0000-4000-8000-000000000000`;
    const about = {
      partnerId: alpha.partnerId,
      messageId,
      state: 'DELIVERED' as const,
      msisdn: firstPhone + n,
    };
    const attempt = { at: now - n, durationMs: 90, httpStatus: 500, error: 'status' as const };
    const history = { tries: 2, attempts: [attempt, attempt] };
    const end =
      n % 40_000 === 7 ? { status: 'skipped' as const, reason: 'GONE' } : { status: 'delivered' as const };
    await store.create({ ...about, changedAt: now - n, requestId: 'request' }, { ...history, ...end }, now);
  }
  for (let from = 0; from < rows.length; from += 25) {
    const puts = rows.slice(from, from + 25).map((row) => {
      return { PutRequest: { Item: marshall(row, { removeUndefinedValues: true }) } };
    });
    await world.table.client.send(new BatchWriteItemCommand({ RequestItems: { [world.table.name]: puts } }));
  }
}

/** The console polls at this interval while its page of callbacks is open. */
const consoleEveryMs = 15_000;

const openConsole: Load = {
  // All rows are written in one event of virtual time, so that the schedule does not run meanwhile.
  prepare: (stage) => stage.world.time.later(0, () => storeCallbacks(stage, 100_000)),
  run: async ({ ask, alpha, sleep, requestsMs }) => {
    let failed = 0;
    for (let n = 0; n < 60_000 / consoleEveryMs; n++) {
      const routes = ['GET /callbacks/endpoint', 'GET /callbacks', 'GET /callbacks?status=skipped'];
      const responses = await Promise.all(routes.map((route) => ask(alpha, route)));
      failed += responses.filter(({ status }) => status !== 200).length;
      await sleep(consoleEveryMs);
    }
    return { failed, latenciesMs: requestsMs };
  },
};

export const callbackLoads = {
  'bulk-10000': () => bulk,
  'paced-endpoint': () => pacedEndpoint,
  'dead-endpoint-hour': () => deadEndpoint,
  'open-console': () => openConsole,
};
