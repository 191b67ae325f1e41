import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { days, epochSeconds } from '../runtime/clock.ts';
import { putIf } from '../table/condition.ts';
import { endpointCircuitSort, endpointPartition, endpointSettingsSort } from '../table/keys.ts';
import { deleteRow, putRow, readPartition, readRow } from '../table/rows.ts';
import type { Table } from '../table/table.ts';
import { Circuit, healthy, isHealthy } from './circuit.ts';
import { circuitShard } from './due-shard.ts';
import { Endpoint } from './endpoint.ts';
import { type Notice, newestNotices, noticeRow, withNotice } from './notice-store.ts';

/** Each lost race means that another writer won; after a few wins the circuit is open and changes no more. */
const maxRaces = 20;
const keptMs = days(30);

const CircuitRow = z.extend(Circuit, { version: z.number() });

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
export function endpointStore(table: Table) {
  return {
    view: async (partnerId: string, { consistent = false } = {}): Promise<EndpointView> => {
      const rows = await readPartition(table, endpointPartition(partnerId), { ConsistentRead: consistent });
      const settings = rows.find(({ sk }) => sk === endpointSettingsSort);
      const { circuit } = circuitOf(rows.find(({ sk }) => sk === endpointCircuitSort));
      return settings ? { endpoint: Endpoint.parse(settings), circuit } : { circuit };
    },

    /** Saves new settings and deletes the circuit: the endpoint may be another server. */
    save: async (endpoint: Endpoint): Promise<void> => {
      await putRow(table, { ...settingsKey(endpoint.partnerId), ...endpoint });
      await deleteCircuit(table, endpoint.partnerId);
    },

    /**
     * Saves settings that were changed from those `seen`, with the notice of it; false when somebody else changed them
     * meanwhile. The circuit stays, unless the address is new.
     */
    replace: async (endpoint: Endpoint, seen: Endpoint | undefined, notice: Notice): Promise<boolean> => {
      const put = {
        TableName: table.name,
        Item: { ...settingsKey(endpoint.partnerId), ...endpoint },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
        ...(seen ? unchanged(seen) : { ConditionExpression: 'attribute_not_exists(pk)' }),
      };
      const replaced = await withNotice(table, { Put: put }, { partnerId: endpoint.partnerId, notice });
      // A request that is repeated after it died finds what it has saved.
      if (!replaced.applied && !isDeepStrictEqual(Endpoint.safeParse(replaced.existing).data, endpoint))
        return false;
      if (endpoint.url !== seen?.url) await deleteCircuit(table, endpoint.partnerId);
      return true;
    },

    /** Disables callbacks until they are enabled, with a notice; false when there was nothing to disable. */
    disable: async (
      endpoint: Pick<Endpoint, 'partnerId' | 'url'>,
      reason: string,
      nowMs: number,
      by?: string,
    ): Promise<boolean> => {
      const update = {
        TableName: table.name,
        Key: settingsKey(endpoint.partnerId),
        UpdateExpression: 'SET #status = :disabled, disabledReason = :reason, disabledAt = :now',
        // A late failure of an old address must not disable a new one.
        ConditionExpression: '#status = :enabled AND #url = :url',
        ExpressionAttributeNames: { '#status': 'status', '#url': 'url' },
        ExpressionAttributeValues: {
          ':disabled': 'disabled',
          ':enabled': 'enabled',
          ':url': endpoint.url,
          ':reason': reason,
          ':now': nowMs,
        },
      };
      const notice = { at: nowMs, what: `disabled: ${reason}`, ...(by === undefined ? {} : { by }) };
      const disabled = await withNotice(table, { Update: update }, { partnerId: endpoint.partnerId, notice });
      return disabled.applied;
    },

    /**
     * Enables callbacks again, with a notice if they were not, and deletes the circuit; false for a partner without an
     * endpoint.
     */
    enable: async (partnerId: string, notice?: Notice): Promise<boolean> => {
      await deleteCircuit(table, partnerId);
      const update = {
        TableName: table.name,
        Key: settingsKey(partnerId),
        UpdateExpression: 'SET #status = :enabled REMOVE disabledReason, disabledAt',
        ConditionExpression: '#status = :disabled',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: { ':enabled': 'enabled', ':disabled': 'disabled' },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
      };
      const enabled = await withNotice(table, { Update: update }, { partnerId, notice });
      return enabled.applied || enabled.existing !== undefined;
    },

    notify: (partnerId: string, notice: Notice): Promise<void> => putRow(table, noticeRow(partnerId, notice)),

    /** The newest notices, newest first. */
    notices: (partnerId: string, nowMs: number): Promise<Notice[]> => newestNotices(table, partnerId, nowMs),

    /**
     * Takes one step of the partner's circuit and returns it before and after. Steps of many workers at once
     * happen one after the other: a write fails when the row has changed since it was read.
     */
    stepCircuit: async (
      partnerId: string,
      step: (circuit: Circuit) => Circuit,
      nowMs: number,
    ): Promise<{ before: Circuit; after: Circuit }> => {
      for (let race = 1; race <= maxRaces; race++) {
        const item = await readRow(table, circuitKey(partnerId));
        const { circuit: before, version } = circuitOf(item);
        const after = step(before);
        if (after === before) return { before, after };
        const written = await writeCircuit(table, partnerId, { circuit: after, version, nowMs });
        if (written) return { before, after };
      }
      throw new Error(`the circuit of ${partnerId} changed under ${maxRaces} tries to change it`);
    },

    closeCircuit: (partnerId: string): Promise<void> => deleteCircuit(table, partnerId),
  };
}

export type EndpointStore = ReturnType<typeof endpointStore>;

/** The fields that workers change, and the secrets, which must not be lost. */
function unchanged({ url, status, signingSecrets }: Endpoint) {
  return {
    ConditionExpression: '#url = :url AND #status = :status AND signingSecrets = :signingSecrets',
    ExpressionAttributeNames: { '#url': 'url', '#status': 'status' },
    ExpressionAttributeValues: { ':url': url, ':status': status, ':signingSecrets': signingSecrets },
  };
}

function circuitOf(row: unknown): { circuit: Circuit; version: number } {
  if (!row) return { circuit: healthy, version: 0 };
  const { version, ...circuit } = CircuitRow.parse(row);
  return isHealthy(circuit) ? { circuit: healthy, version } : { circuit, version };
}

type Written = { circuit: Circuit; version: number; nowMs: number };

async function writeCircuit(
  table: Table,
  partnerId: string,
  { circuit, version, nowMs }: Written,
): Promise<boolean> {
  const written = await putIf(table, {
    Item: {
      ...circuitKey(partnerId),
      ...circuit,
      ...(circuit.openUntil === undefined ? {} : { dueShard: circuitShard, dueAt: circuit.openUntil }),
      version: version + 1,
      expiresAt: epochSeconds(nowMs + keptMs),
    },
    ConditionExpression: version === 0 ? 'attribute_not_exists(pk)' : 'version = :version',
    ...(version === 0 ? {} : { ExpressionAttributeValues: { ':version': version } }),
  });
  return written.applied;
}

async function deleteCircuit(table: Table, partnerId: string): Promise<void> {
  await deleteRow(table, circuitKey(partnerId));
}
