import * as z from 'zod/mini';
import type { NewEvent } from '../../events/event.ts';
import { eventWrite } from '../../events/event-store.ts';
import { days, epochSeconds } from '../../platform/runtime/clock.ts';
import { systemIds } from '../../platform/runtime/ids.ts';
import { repeated } from '../../platform/runtime/time-left.ts';
import {
  drainingShard,
  type EndpointSort,
  endpointKey,
  endpointPartition,
  openShard,
} from '../../platform/table/row-keys/callbacks.ts';
import { deleteIf, putIf, putRow, readPartition, readRow, still } from '../../platform/table/rows.ts';
import type { Table } from '../../platform/table/table.ts';
import { transactional } from '../../platform/table/transactional.ts';
import { ownerOf } from '../alerts-endpoint.ts';
import { Circuit, closed, healthy, isFailing } from './circuit.ts';
import { Endpoint, isPosted } from './endpoint.ts';
import { endLine, Pace } from './pace-store.ts';

const keptMs = days(30);

/** A circuit as it is stored: rows have the older name of `drainingSince`, `closedAt`. */
export const CircuitRow = z.extend(z.omit(Circuit, { drainingSince: true }), {
  closedAt: z.optional(z.number()),
  version: z.number(),
});

/** The endpoint after a change and its event; without an event nothing changes. */
export type EndpointChange = { endpoint: Endpoint; event?: NewEvent };

/** The time of a step of the circuit, and the event that is stored together with it, if there is one. */
type StepOptions = {
  nowMs: number;
  eventOf?: ((before: Circuit, after: Circuit) => NewEvent | undefined) | undefined;
};

export type EndpointView = { endpoint?: Endpoint | undefined; circuit: Circuit; pace: Pace };

/**
 * Settings, circuit and pace of an endpoint are rows of one partition: one Query reads all, and saving settings cannot
 * overwrite what the workers learned. A healthy endpoint has no circuit row, and one without a pace has no row of that.
 * `version` counts the changes of a row.
 */
export function endpointStore(table: Table) {
  /** Repeats a read and its conditional write while other writers are faster, so that no concurrent change is lost. */
  const untilWritten = async <Written>(what: string, write: () => Promise<Written | undefined>) => {
    const written = await repeated(write);
    if (!written) throw new Error(`${what} changed under every try to change it`);
    return written;
  };

  return {
    view: async (endpointId: string, { consistent = false } = {}): Promise<EndpointView> => {
      const rows = await readPartition(table, endpointPartition(endpointId), { ConsistentRead: consistent });
      const row = (sort: EndpointSort) => rows.find(({ sk }) => sk === sort);
      const { circuit } = circuitOf(row('CIRCUIT'));
      return {
        endpoint: z.optional(Endpoint).parse(row('SETTINGS')),
        circuit,
        pace: Pace.parse(row('PACE') ?? {}),
      };
    },

    /** Replaces the settings unconditionally. */
    save: (endpoint: Endpoint): Promise<void> =>
      putRow(table, { ...endpointKey(endpoint.partnerId, 'SETTINGS'), ...endpoint, version: 1 }),

    /**
     * Deletes the settings; false if there are none. The circuit closes, so that what it deferred is brought to a worker,
     * which skips it. What waits for its own next attempt is skipped then, unless another address is set by that time.
     */
    delete: async (endpointId: string, event: NewEvent): Promise<boolean> => {
      const { name: TableName } = table;
      const Key = endpointKey(endpointId, 'SETTINGS');
      const { atMs } = event;
      const writes = [
        { Delete: { TableName, Key, ConditionExpression: 'attribute_exists(pk)' } },
        { Put: { TableName, Item: circuitRow(endpointId, closed(atMs), { version: atMs, nowMs: atMs }) } },
        eventOfEndpoint(table, endpointId, event),
      ];
      return (await transactional(table, writes)).applied;
    },

    /**
     * `decide` returns the change, or why there is none, and may be called again with newer settings. A new address or mode
     * closes the circuit, and so does enabling.
     */
    change: <Refused extends string>(
      endpointId: string,
      decide: (seen: Endpoint | undefined) => EndpointChange | Refused,
    ): Promise<EndpointChange | Refused> =>
      untilWritten(`the endpoint of ${endpointId}`, async () => {
        const key = endpointKey(endpointId, 'SETTINGS');
        const row = await readRow(table, key);
        const version = z.optional(z.number()).parse(row?.['version']);
        const before = row && Endpoint.parse(row);
        const decided = decide(before);
        if (typeof decided === 'string' || !decided.event) return decided;
        const { endpoint, event } = decided;
        const put = (Item: object, condition = {}) => ({
          Put: { TableName: table.name, Item, ...condition },
        });
        const newCircuit = { version: event.atMs, nowMs: event.atMs };
        const writes = [
          put({ ...key, ...endpoint, version: nextVersion(version, event.atMs) }, still({ version })),
          eventOfEndpoint(table, endpointId, event),
          ...(before && isOtherServer(before, endpoint)
            ? [put(circuitRow(endpointId, closed(event.atMs), newCircuit))]
            : []),
        ];
        // Before the change: without a line callbacks are attempted too early at most, for which they need slots anyway.
        if (endpoint.maxPerSecond !== undefined && (!before || mayLackLine(before, endpoint)))
          await endLine(table, endpointId);
        return (await transactional(table, writes)).applied ? decided : undefined;
      }),

    /** Applies one step to the partner's circuit. Steps of concurrent workers are applied one after the other. */
    stepCircuit: (endpointId: string, step: (circuit: Circuit) => Circuit, { nowMs, eventOf }: StepOptions) =>
      untilWritten(`the circuit of ${endpointId}`, async () => {
        const { circuit: before, version } = circuitOf(
          await readRow(table, endpointKey(endpointId, 'CIRCUIT')),
        );
        const after = step(before);
        if (after === before) return { before, after };
        const write = { after, version, nowMs, event: eventOf?.(before, after) };
        return (await writeCircuit(table, endpointId, write)) ? { before, after } : undefined;
      }),
  };
}

export type EndpointStore = ReturnType<typeof endpointStore>;

/**
 * The write of an event of an endpoint. Whatever happens to the endpoint of alerts is `alerts.changed`, which is never
 * sent as an alert.
 */
function eventOfEndpoint(table: Table, endpointId: string, event: NewEvent) {
  const { partnerId, isAlerts } = ownerOf(endpointId);
  return eventWrite(table, partnerId, isAlerts ? { ...event, kind: 'alerts.changed' } : event);
}

/** Whether what the circuit knows says nothing about the endpoint any more. */
function isOtherServer(before: Endpoint, after: Endpoint): boolean {
  const isEnabled = before.status === 'disabled' && after.status === 'enabled';
  return isEnabled || after.url !== before.url || isPosted(after) !== isPosted(before);
}

/** Whether the messages of the line that the endpoint had may be gone, since it did not wait for them to be posted. */
function mayLackLine(before: Endpoint, after: Endpoint): boolean {
  return before.status === 'disabled' || !isPosted(before) || before.maxPerSecond !== after.maxPerSecond;
}

/** The rows are deleted and created again, so their versions start from the time: none is ever used twice. */
function nextVersion(version: number | undefined, nowMs: number): number {
  return version === undefined ? nowMs : version + 1;
}

function circuitOf(row: unknown): { circuit: Circuit; version?: number } {
  if (!row) return { circuit: healthy };
  const { version, closedAt, ...circuit } = CircuitRow.parse(row);
  return { circuit: closedAt === undefined ? circuit : { ...circuit, drainingSince: closedAt }, version };
}

type CircuitWrite = {
  after: Circuit;
  version: number | undefined;
  nowMs: number;
  event?: NewEvent | undefined;
};

/** Writes the circuit if its row still has the version, or deletes the row of a healthy one; with the event, if any. */
async function writeCircuit(
  table: Table,
  endpointId: string,
  { after, version, nowMs, event }: CircuitWrite,
): Promise<boolean> {
  const Key = endpointKey(endpointId, 'CIRCUIT');
  const condition = still({ version });
  const writtenBy = systemIds.uuid();
  const next = { version: nextVersion(version, nowMs), nowMs };
  const Item = { ...circuitRow(endpointId, after, next), writtenBy };
  const hasRow = isFailing(after) || after.drainingSince !== undefined;
  if (event) {
    const row = { TableName: table.name, ...condition };
    const write = hasRow ? { Put: { ...row, Item } } : { Delete: { ...row, Key } };
    return (await transactional(table, [write, eventOfEndpoint(table, endpointId, event)])).applied;
  }
  if (!hasRow) return (await deleteIf(table, { ...condition, Key })).applied;
  const put = await putIf(table, { ...condition, Item });
  // If a response was lost, the SDK repeats the write, whose condition then fails: our own mark shows that it was
  // applied.
  return put.applied || put.row?.['writtenBy'] === writtenBy;
}

function circuitRow(
  endpointId: string,
  { drainingSince: closedAt, ...circuit }: Circuit,
  { version, nowMs }: { version: number; nowMs: number },
) {
  const { openUntil } = circuit;
  return {
    ...endpointKey(endpointId, 'CIRCUIT'),
    ...circuit,
    ...(openUntil === undefined ? {} : { dueShard: openShard, dueAt: openUntil }),
    ...(closedAt === undefined ? {} : { closedAt, dueShard: drainingShard, dueAt: closedAt }),
    version,
    expiresAt: epochSeconds(nowMs + keptMs),
  };
}
