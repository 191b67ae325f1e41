import { paginateScan } from '@aws-sdk/lib-dynamodb';
import type { FunctionPool } from '../../local/functions/function-pool.ts';
import { readServiceModel, type ServiceModel } from '../../local/template/service-model.ts';
import { circuitShard } from '../../shared/callbacks/due-shard.ts';
import { createClient } from './actors/client.ts';
import { createPartners } from './actors/partners.ts';
import { createWallet } from './actors/wallet.ts';
import { createCalls, type Throttling } from './core/calls.ts';
import { setCurrent } from './core/current.ts';
import { createFaults } from './core/faults.ts';
import { createFunction } from './core/functions.ts';
import { createGateway } from './core/gateway.ts';
import { createEventLog } from './core/log.ts';
import { createQueues } from './core/queues.ts';
import { createRng } from './core/rng.ts';
import { feedFromQueue, feedFromStream, runSchedule } from './core/sources.ts';
import { SimulatedTableClient } from './core/table-client.ts';
import type { TableEngine } from './core/table-engine.ts';
import { createTime } from './core/time.ts';
import type { Plan } from './plan.ts';

/** Far enough ahead that the engine, which lives in real time, never finds a row expired. */
export const startMs = Date.UTC(2040, 0, 2, 8);

export function readModel(): ServiceModel {
  return readServiceModel(new URL('../../cdk.out', import.meta.url).pathname);
}

/** The whole service on one table, as the templates wire it, and everybody around it. */
export async function createWorld(
  plan: Plan,
  model: ServiceModel,
  engine: TableEngine,
  keepTimeline: boolean,
) {
  const [tableModel] = model.tables;
  if (!tableModel) throw new Error('the templates have no table');
  const table = await engine.newTable(tableModel);
  const time = createTime(startMs);
  const rng = createRng(plan.seed);
  const faults = createFaults(plan.calm ? {} : plan.faults);
  const log = createEventLog(time.now, startMs, keepTimeline);
  const base = { time, rng, faults, log };
  const refusing = new Set<Throttling>();
  const call = createCalls({ ...base, refusing });
  const queues = createQueues(model.queues, { ...base, call });
  const partners = createPartners();
  setCurrent({ ...base, call, table, queues, receive: partners.receive });

  const pools = new Map(model.functions.map((one) => [one.name, createFunction(one, base)]));
  const poolOf = (name: string): FunctionPool => {
    const pool = pools.get(name);
    if (!pool) throw new Error(`the templates have no function ${name}`);
    return pool;
  };
  const parts = { ...base, queues, table, poolOf };
  // The simulation has a wallet platform of its own.
  const outbox = queues.queue('push-outbox');
  for (const source of model.eventSources.queues)
    if (queues.queue(source.queueName) !== outbox) feedFromQueue(source, parts);
  const streams = feedFromStream(model.eventSources.streams, parts);
  const store = { client: new SimulatedTableClient(), name: table.name };
  const scan = async (input: { IndexName?: 'due' }): Promise<readonly Row[]> => {
    const rows: Row[] = [];
    for await (const { Items = [] } of paginateScan(store, { TableName: table.name, ...input }))
      rows.push(...(Items as Row[]));
    return rows;
  };
  const due = watchDue(scan, time.now);
  table.written = () => {
    streams.written();
    due.written();
  };
  for (const schedule of model.schedules) runSchedule(schedule, parts, due.isDue);
  const unanswered: string[] = [];
  const send = createGateway({ ...base, api: model.api, poolOf });
  const wallet = createWallet({ ...base, queues });
  await partners.seed(store, startMs);

  return {
    ...base,
    isCalm: plan.calm,
    refusing,
    table: store,
    queues,
    partners,
    wallet,
    streams,
    due,
    unanswered: unanswered as readonly string[],
    request: createClient({ ...base, send, unanswered }),
    /** Every row. */
    rows: () => scan({}),
    drop: () => table.drop(),
  };
}

export type Row = { pk: string; sk: string } & Record<string, unknown>;
export type World = Awaited<ReturnType<typeof createWorld>>;

/** When the next row comes due: minutes in which nothing is due need no run of the schedule. */
function watchDue(scan: (input: { IndexName: 'due' }) => Promise<readonly Row[]>, now: () => number) {
  let changed = true;
  let next = Number.POSITIVE_INFINITY;
  const look = async (): Promise<number> => {
    if (!changed) return next;
    changed = false;
    // An open circuit is in the index so that it can be counted; nothing has to be done about it.
    const due = (await scan({ IndexName: 'due' })).filter(({ dueShard }) => dueShard !== circuitShard);
    next = Math.min(Number.POSITIVE_INFINITY, ...due.map(({ dueAt }) => Number(dueAt)));
    return next;
  };
  return {
    written: () => {
      changed = true;
    },
    isDue: async () => (await look()) <= now() + 5_000,
    next: look,
  };
}
