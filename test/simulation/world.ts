import { paginateScan } from '@aws-sdk/lib-dynamodb';
import type { Roles } from '../../local/template/roles.ts';
import type { ServiceModel, TableModel } from '../../local/template/service-model.ts';
import type { PartnerLimits } from '../../shared/partners/partner-limits.ts';
import { openShard } from '../../shared/platform/table/row-keys/callbacks.ts';
import { idIn } from '../../shared/platform/table/row-keys/row-key.ts';
import { kindOf, type RowKindName } from '../../shared/platform/table/row-kinds.ts';
import { createClient } from './actors/client.ts';
import { createPartners, nobodyId } from './actors/partners.ts';
import { createWallet } from './actors/wallet.ts';
import { createCalls, type Throttling } from './core/calls.ts';
import { createCapacity } from './core/capacity.ts';
import { setCurrent } from './core/current.ts';
import { createFaults } from './core/faults.ts';
import { createAccount, createFunction, type Pool } from './core/functions.ts';
import { createGateway } from './core/gateway.ts';
import { createQueues } from './core/queues.ts';
import { createRng } from './core/rng.ts';
import { feedFromQueue, feedFromStream, runSchedule } from './core/sources.ts';
import { tableClient } from './core/table-client.ts';
import type { TableEngine } from './core/table-engine.ts';
import { createEventLog, createTime } from './core/time.ts';
import type { KeptRows } from './kept-rows.ts';
import type { Entry } from './ledger.ts';
import { isLong } from './long-runs.ts';
import type { Action, Plan } from './plan.ts';
import { type Row, watchRows } from './watch-rows.ts';

/** Far in the future, so that the engine, which uses the real time, never finds a row expired. */
export const startMs = Date.UTC(2040, 0, 2, 8);

export type Context = {
  model: ServiceModel;
  engine: TableEngine;
  roles: Roles;
  timeline?: boolean;
  /**
   * Runs one load under AWS's limits and nothing else, and counts every minute's run of the schedule: with these limits
   * agreed with alpha, and with a table that takes `scale` times less than AWS's.
   */
  forecast?: { limits: PartnerLimits; scale: number };
};

/** Creates the whole service on one table, wired as in the templates, with its partners and the wallet platform. */
export async function createWorld(plan: Plan, context: Context) {
  const { model, engine, roles, timeline = false, forecast } = context;
  const isForecast = forecast !== undefined;
  const table = await engine.newTable(model.tables[0] as TableModel);
  const time = createTime(startMs);
  const rng = createRng(plan.seed);
  const faults = createFaults(plan.calm ? {} : plan.faults);
  const log = createEventLog(time.now, startMs, timeline);
  const base = { time, rng, faults, log };
  const refusing = new Set<Throttling>();
  const call = createCalls(base, refusing);
  const queues = createQueues(model.queues, { ...base, call });
  const partners = createPartners();
  const capacity = createCapacity(time.now, forecast?.scale);
  const forbidden = new Set<string>();
  const logged = new Set<string>();
  const measured = new Map<string, number>();
  const kept: KeptRows = new Map();
  setCurrent({
    ...base,
    call,
    capacity,
    roles,
    forbidden,
    logged,
    measured,
    kept,
    table,
    queues,
    receive: partners.receive,
  });
  // A forecast checks no histories, and a read after each write would double its calls.
  const watched: readonly RowKindName[] = isForecast
    ? []
    : [
        ...(['endpoint', 'circuit', 'callback', 'idempotency key', 'deadline'] as const),
        ...(['single message', 'bulk send', 'part of a bulk send'] as const),
        ...(['states of a message', 'states of a bulk send', 'event'] as const),
      ];
  const histories = watchRows(table, time.now, watched);

  const account = createAccount(model.functions);
  const pools = new Map(model.functions.map((one) => [one.name, createFunction(one, { ...base, account })]));
  // The reader of the templates has already checked that a function of this name exists.
  const poolOf = (name: string) => pools.get(name) as Pool;
  const parts = { ...base, queues, table, poolOf };
  // The simulated wallet platform reads the outbox instead of a function.
  const outbox = queues.queue('push-outbox').name;
  for (const source of model.eventSources.queues)
    if (source.queueName !== outbox) feedFromQueue(source, parts);
  const streams = feedFromStream(model.eventSources.streams, parts);
  const store = { client: tableClient, name: table.name };
  const scan = async (index: { IndexName?: 'due' }): Promise<readonly Row[]> => {
    const rows: Row[] = [];
    for await (const { Items = [] } of paginateScan(store, { TableName: table.name, ...index }))
      rows.push(...(Items as Row[]));
    return rows;
  };

  let due: Promise<number> | undefined;
  table.written = () => {
    streams.written();
    due = undefined;
  };
  /** Returns when the next row comes due. The schedule need not run in minutes in which nothing is due. */
  const nextDue = (): Promise<number> => {
    due ??= scan({ IndexName: 'due' }).then((rows) => {
      const deferring = new Set(rows.map(({ dueShard }) => /^DEFERRED#(.*)#/.exec(String(dueShard))?.[1]));
      // An open circuit without deferred callbacks is in the index only so that it can be counted.
      const isTimed = ({ dueShard, pk }: Row) =>
        dueShard === openShard
          ? deferring.has(idIn({ pk: String(pk) }))
          : !String(dueShard).startsWith('DEFERRED#');
      return Math.min(...rows.filter(isTimed).map((row) => Number(row['dueAt'])));
    });
    return due;
  };
  for (const schedule of model.schedules) runSchedule(schedule, parts, isForecast ? async () => 0 : nextDue);
  const send = createGateway({ ...parts, api: model.api, account });
  const wallet = createWallet({ ...base, queues, isPrompt: isForecast });
  if (forecast) {
    for (const partner of partners.all) partner.settings = {};
    partners.of(0).limits = forecast.limits;
  }
  await partners.seed(store, startMs);

  return {
    ...base,
    isCalm: plan.calm,
    isLong: isLong(plan.hours),
    forbidden: forbidden as ReadonlySet<string>,
    logged: logged as ReadonlySet<string>,
    measured: measured as ReadonlyMap<string, number>,
    kept,
    refusing,
    table: store,
    queues,
    partners,
    exchanges: partners.exchanges,
    histories,
    wallet,
    streams,
    nextDue,
    send,
    ...createClient({ ...base, send }),
    rows: async (): Promise<Rows> => {
      const all = (await scan({})).filter(({ partnerId }) => partnerId !== nobodyId);
      const byKind = Map.groupBy(all, (row) => kindOf(row).kind.name);
      return (kind) => byKind.get(kind) ?? [];
    },
    drop: () => table.drop(),
  };
}

export type Rows = (kind: RowKindName) => readonly Row[];
export type World = Awaited<ReturnType<typeof createWorld>>;

/** A user of the service, who also knows what the outcome must be. */
export type Actor = {
  does: Partial<Record<Action['kind'], (action: Action) => Promise<void>>>;
  /** Called when nothing is in progress any more: compares what happened with what should have happened. */
  ledger: (rows: Rows) => Promise<readonly Entry[]> | readonly Entry[];
};
