import * as z from 'zod/mini';
import { backoff } from '../../platform/runtime/backoff.ts';
import { days, epochSeconds } from '../../platform/runtime/clock.ts';
import { systemIds } from '../../platform/runtime/ids.ts';
import { repeated } from '../../platform/runtime/time-left.ts';
import { deleteIf, putIf } from '../../platform/table/condition.ts';
import {
  closedShard,
  endpointCircuitSort,
  endpointPartition,
  endpointSettingsSort,
  noticeKey,
  noticesPartition,
  openShard,
} from '../../platform/table/keys.ts';
import { putRow, readPartition, readRow } from '../../platform/table/rows.ts';
import type { Table } from '../../platform/table/table.ts';
import { type TransactItems, transactional } from '../../platform/table/transactional.ts';
import { Circuit, closed, healthy, isFailing } from './circuit.ts';
import { Endpoint } from './endpoint.ts';

const keptMs = days(30);
const noticesShown = 50;
const noticesKeptMs = days(365);

const CircuitRow = z.extend(Circuit, { version: z.number() });
/** `version` counts the changes of the settings. */
const SettingsRow = z.extend(Endpoint, { version: z._default(z.int(), 0) });

/** Something that happened to a partner's endpoint, for the partner; `by` is the key of who asked for it. */
export const Notice = z.object({ at: z.number(), what: z.string(), by: z.optional(z.string()) });
export type Notice = z.infer<typeof Notice>;

export type EndpointChange = { endpoint: Endpoint; notice: Notice };
export type EndpointChanged<Refused> =
  | { outcome: 'changed'; endpoint: Endpoint }
  | { outcome: 'refused'; refused: Refused };

export type EndpointView = { endpoint?: Endpoint; circuit: Circuit };

function settingsKey(partnerId: string) {
  return { pk: endpointPartition(partnerId), sk: endpointSettingsSort };
}

function circuitKey(partnerId: string) {
  return { pk: endpointPartition(partnerId), sk: endpointCircuitSort };
}

/**
 * Partners' endpoints. Settings and circuit are two rows of one partition: one Query reads both, and saving
 * settings cannot overwrite what the workers learned. A healthy endpoint has no circuit row.
 */
export function endpointStore(table: Table, pause = backoff(), ids = systemIds) {
  return {
    view: async (partnerId: string, { consistent = false } = {}): Promise<EndpointView> => {
      const rows = await readPartition(table, endpointPartition(partnerId), { ConsistentRead: consistent });
      const settings = rows.find(({ sk }) => sk === endpointSettingsSort);
      const { circuit } = circuitOf(rows.find(({ sk }) => sk === endpointCircuitSort));
      return settings ? { endpoint: Endpoint.parse(settings), circuit } : { circuit };
    },

    /** Saves settings whatever was there. */
    save: (endpoint: Endpoint): Promise<void> =>
      putRow(table, { ...settingsKey(endpoint.partnerId), ...endpoint, version: 1 }),

    /**
     * Changes settings by what `decide` makes of them, with the notice of the change. When somebody else was faster, it
     * reads and decides again, so of any number of changes at once each is made. A new address closes the circuit: it may
     * be another server.
     */
    change: async <Refused>(
      partnerId: string,
      decide: (seen: Endpoint | undefined) => EndpointChange | { refused: Refused },
    ): Promise<EndpointChanged<Refused>> => {
      const key = settingsKey(partnerId);
      const changed = await repeated<EndpointChanged<Refused>>(async () => {
        const row = await readRow(table, key);
        const { version, ...seen } = row ? SettingsRow.parse(row) : { version: 0 };
        const before = row ? Endpoint.parse(seen) : undefined;
        const decided = decide(before);
        if ('refused' in decided) return { outcome: 'refused', refused: decided.refused };
        const { endpoint, notice } = decided;
        const put = {
          TableName: table.name,
          Item: { ...key, ...endpoint, version: version + 1 },
          ConditionExpression: version === 0 ? 'attribute_not_exists(version)' : 'version = :seen',
          ...(version === 0 ? {} : { ExpressionAttributeValues: { ':seen': version } }),
        };
        const writes = [
          { Put: put },
          { Put: { TableName: table.name, Item: noticeRow(partnerId, notice) } },
          ...(before && endpoint.url !== before.url ? [closedCircuit(table, partnerId, notice.at)] : []),
        ];
        const { applied } = await transactional(table, writes, pause);
        return applied ? { outcome: 'changed', endpoint } : undefined;
      }, pause);
      if (!changed) throw new Error(`the endpoint of ${partnerId} changed under every try to change it`);
      return changed;
    },

    notify: (partnerId: string, notice: Notice): Promise<void> => putRow(table, noticeRow(partnerId, notice)),

    /** The newest notices, newest first. */
    notices: async (partnerId: string, nowMs: number): Promise<Notice[]> => {
      const newest = { ScanIndexForward: false, Limit: noticesShown };
      const rows = await readPartition(table, noticesPartition(partnerId), newest);
      return z
        .array(Notice)
        .parse(rows)
        .filter(({ at }) => at + noticesKeptMs > nowMs);
    },

    /**
     * Takes one step of the partner's circuit and returns it before and after. Steps of many workers at once happen one
     * after the other: a write fails when the row has changed since it was read.
     */
    stepCircuit: async (
      partnerId: string,
      step: (circuit: Circuit) => Circuit,
      nowMs: number,
    ): Promise<{ before: Circuit; after: Circuit }> => {
      const stepped = await repeated(async () => {
        const { circuit: before, version } = circuitOf(await readRow(table, circuitKey(partnerId)));
        const after = step(before);
        if (after === before) return { before, after };
        const isWritten = await writeCircuit(table, partnerId, {
          before: version,
          after,
          nowMs,
          id: ids.uuid(),
        });
        return isWritten ? { before, after } : undefined;
      }, pause);
      if (!stepped) throw new Error(`the circuit of ${partnerId} changed under every try to change it`);
      return stepped;
    },
  };
}

export type EndpointStore = ReturnType<typeof endpointStore>;

function circuitOf(row: unknown): { circuit: Circuit; version: number } {
  if (!row) return { circuit: healthy, version: 0 };
  const { version, ...circuit } = CircuitRow.parse(row);
  return { circuit, version };
}

/** `id` is this write's own. */
type Step = { before: number; after: Circuit; nowMs: number; id: string };

/**
 * Conditional on the version of the row as it was read, 0 for none; returns whether it was written. An endpoint without
 * trouble has no row.
 */
async function writeCircuit(
  table: Table,
  partnerId: string,
  { before, after, nowMs, id }: Step,
): Promise<boolean> {
  const asRead = {
    ConditionExpression: before === 0 ? 'attribute_not_exists(pk)' : 'version = :version',
    ...(before === 0 ? {} : { ExpressionAttributeValues: { ':version': before } }),
  };
  if (!isFailing(after) && after.closedAt === undefined)
    return (await deleteIf(table, { ...asRead, Key: circuitKey(partnerId) })).applied;
  // The row comes and goes: its versions begin with the time, so that none returns.
  const version = before === 0 ? nowMs : before + 1;
  const put = await putIf(table, {
    ...asRead,
    Item: { ...circuitRow(partnerId, after, { version, nowMs }), writtenBy: id },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  // The SDK repeats a write whose response was lost: a step that finds its own mark was taken, and counts once.
  return put.applied || put.existing?.['writtenBy'] === id;
}

/** Part of a transaction. */
function closedCircuit(table: Table, partnerId: string, nowMs: number): TransactItems[number] {
  const Item = circuitRow(partnerId, closed(nowMs), { version: nowMs, nowMs });
  return { Put: { TableName: table.name, Item } };
}

function circuitRow(
  partnerId: string,
  circuit: Circuit,
  { version, nowMs }: { version: number; nowMs: number },
) {
  const { openUntil, closedAt } = circuit;
  return {
    ...circuitKey(partnerId),
    ...circuit,
    ...(openUntil === undefined ? {} : { dueShard: openShard, dueAt: openUntil }),
    ...(closedAt === undefined ? {} : { dueShard: closedShard, dueAt: closedAt }),
    version,
    expiresAt: epochSeconds(nowMs + keptMs),
  };
}

function noticeRow(partnerId: string, notice: Notice) {
  return {
    ...noticeKey(partnerId, notice.at, notice.what),
    ...notice,
    expiresAt: epochSeconds(notice.at + noticesKeptMs),
  };
}
