import * as z from 'zod/mini';
import { backoff } from '../runtime/backoff.ts';
import { days, epochSeconds } from '../runtime/clock.ts';
import { endpointCircuitSort, endpointPartition, endpointSettingsSort } from '../table/keys.ts';
import { deleteRow, putRow, readPartition, readRow } from '../table/rows.ts';
import type { Table } from '../table/table.ts';
import { type TransactItems, transactional } from '../table/transactional.ts';
import { Circuit, healthy, isHealthy, isOpen } from './circuit.ts';
import { startDrain, stopDrain } from './drain-row.ts';
import { circuitShard } from './due-shard.ts';
import { Endpoint } from './endpoint.ts';
import { type Notice, newestNotices, noticeRow, putNotice } from './notice-store.ts';

/** Each lost race means that another writer won; after a few wins the circuit is open and changes no more. */
const maxRaces = 20;
const keptMs = days(30);

const CircuitRow = z.extend(Circuit, { version: z.number() });
/** `version` counts the changes of the settings. */
const SettingsRow = z.extend(Endpoint, { version: z._default(z.int(), 0) });

/** `drainAt`: when what the circuit deferred is to come forward, because it is skipped or delivered from then on. */
export type EndpointChange = { endpoint: Endpoint; notice: Notice; drainAt?: number };
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
export function endpointStore(table: Table, pause = backoff()) {
  return {
    view: async (partnerId: string, { consistent = false } = {}): Promise<EndpointView> => {
      const rows = await readPartition(table, endpointPartition(partnerId), { ConsistentRead: consistent });
      const settings = rows.find(({ sk }) => sk === endpointSettingsSort);
      const { circuit } = circuitOf(rows.find(({ sk }) => sk === endpointCircuitSort));
      return settings ? { endpoint: Endpoint.parse(settings), circuit } : { circuit };
    },

    /** Saves settings whatever was there, and deletes the circuit: the endpoint may be another server. */
    save: async (endpoint: Endpoint): Promise<void> => {
      await putRow(table, { ...settingsKey(endpoint.partnerId), ...endpoint, version: 1 });
      await deleteCircuit(table, endpoint.partnerId);
    },

    /**
     * Changes settings by what `decide` makes of them, with the notice of the change. When somebody else was faster, it
     * reads and decides again, so of any number of changes at once each is made. The circuit stays, unless the address
     * is new.
     */
    change: async <Refused>(
      partnerId: string,
      decide: (seen: Endpoint | undefined) => EndpointChange | { refused: Refused },
    ): Promise<EndpointChanged<Refused>> => {
      const key = settingsKey(partnerId);
      for (let race = 1; race <= maxRaces; race++) {
        const row = await readRow(table, key);
        const { version, ...seen } = row ? SettingsRow.parse(row) : { version: 0 };
        const before = row ? Endpoint.parse(seen) : undefined;
        const decided = decide(before);
        if ('refused' in decided) return { outcome: 'refused', refused: decided.refused };
        const { endpoint, notice, drainAt } = decided;
        const put = {
          TableName: table.name,
          Item: { ...key, ...endpoint, version: version + 1 },
          ConditionExpression: version === 0 ? 'attribute_not_exists(version)' : 'version = :seen',
          ...(version === 0 ? {} : { ExpressionAttributeValues: { ':seen': version } }),
        };
        const writes = [
          { Put: put },
          putNotice(table, partnerId, notice),
          ...(drainAt === undefined ? [] : [startDrain(table, partnerId, drainAt)]),
        ];
        if ((await transactional(table, writes, pause)).applied) {
          if (endpoint.url !== before?.url) await deleteCircuit(table, partnerId);
          return { outcome: 'changed', endpoint };
        }
        await pause(race);
      }
      throw new Error(`the endpoint of ${partnerId} changed under ${maxRaces} tries to change it`);
    },

    notify: (partnerId: string, notice: Notice): Promise<void> => putRow(table, noticeRow(partnerId, notice)),

    /** The newest notices, newest first. */
    notices: (partnerId: string, nowMs: number): Promise<Notice[]> => newestNotices(table, partnerId, nowMs),

    /**
     * Takes one step of the partner's circuit and returns it before and after. Steps of many workers at once happen one
     * after the other: a write fails when the row has changed since it was read. A circuit that closes starts the drain
     * of what it deferred, `drainAt`, and one that opens stops it, in the same write.
     */
    stepCircuit: async (
      partnerId: string,
      step: (circuit: Circuit) => Circuit,
      { nowMs, drainAt }: { nowMs: number; drainAt: number },
    ): Promise<{ before: Circuit; after: Circuit }> => {
      for (let race = 1; race <= maxRaces; race++) {
        const { circuit: before, version } = circuitOf(await readRow(table, circuitKey(partnerId)));
        const after = step(before);
        if (after === before) return { before, after };
        const drains = isOpen(before) && !isOpen(after) ? [startDrain(table, partnerId, drainAt)] : [];
        const stops = !isOpen(before) && isOpen(after) ? [stopDrain(table, partnerId)] : [];
        const write = circuitWrite(table, partnerId, { circuit: after, version, nowMs });
        const written = await transactional(table, [write, ...drains, ...stops], pause);
        if (written.applied) return { before, after };
        await pause(race);
      }
      throw new Error(`the circuit of ${partnerId} changed under ${maxRaces} tries to change it`);
    },

    resetCircuit: (partnerId: string): Promise<void> => deleteCircuit(table, partnerId),
  };
}

export type EndpointStore = ReturnType<typeof endpointStore>;

function circuitOf(row: unknown): { circuit: Circuit; version: number } {
  if (!row) return { circuit: healthy, version: 0 };
  const { version, ...circuit } = CircuitRow.parse(row);
  return isHealthy(circuit) ? { circuit: healthy, version } : { circuit, version };
}

type NewCircuit = { circuit: Circuit; version: number; nowMs: number };

/** Conditional on the row as it was read. A healthy endpoint has no row. */
function circuitWrite(
  table: Table,
  partnerId: string,
  { circuit, version, nowMs }: NewCircuit,
): TransactItems[number] {
  const asRead = {
    TableName: table.name,
    ConditionExpression: version === 0 ? 'attribute_not_exists(pk)' : 'version = :version',
    ...(version === 0 ? {} : { ExpressionAttributeValues: { ':version': version } }),
  };
  if (isHealthy(circuit)) return { Delete: { ...asRead, Key: circuitKey(partnerId) } };
  const Item = {
    ...circuitKey(partnerId),
    ...circuit,
    ...(circuit.openUntil === undefined ? {} : { dueShard: circuitShard, dueAt: circuit.openUntil }),
    // The row comes and goes: its versions begin with the time, so that none returns.
    version: version === 0 ? nowMs : version + 1,
    expiresAt: epochSeconds(nowMs + keptMs),
  };
  return { Put: { ...asRead, Item } };
}

async function deleteCircuit(table: Table, partnerId: string): Promise<void> {
  await deleteRow(table, circuitKey(partnerId));
}
