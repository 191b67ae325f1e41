import { inGroups } from '../platform/runtime/in-groups.ts';
import { inParallel } from '../platform/runtime/in-parallel.ts';
import { readAll } from '../platform/table/batches.ts';
import { distinctKeys, type RowKey } from '../platform/table/row-keys/row-key.ts';
import { readRow, updateExpression, updateIf, updateRow } from '../platform/table/rows.ts';
import { marked, streamMarkers } from '../platform/table/stream-markers.ts';
import type { Table } from '../platform/table/table.ts';
import { LaterState, ReceiptState } from './history.ts';
import type { StoredMessage } from './message-rows.ts';
import {
  locateStates,
  type ReachedState,
  type StatesLocation,
  stateAttribute,
  stateRowsAtOnce,
  statesIn,
} from './message-states.ts';
import { rowsExpireAt } from './retention.ts';
import { wantsCallbacks } from './sending/push-content.ts';

/** A state of a message that exists, and when it was reached. */
export type Report = { message: StoredMessage; state: ReceiptState; atMs: number };
type MessageOfPartner = Pick<StoredMessage, 'partnerId' | 'messageId'>;
/** A message whose deadline `atMs` has passed. */
export type PassedDeadline = Omit<Report, 'state'>;

/** 80 states are 2.7 kB and 160 operators of an update, of the 4 kB and 300 that DynamoDB takes. */
const statesPerUpdate = 80;

/** The partition key of the row of states that a report belongs to. */
export function rowOfReport({ message: { messageId } }: PassedDeadline): string {
  return locate(messageId).key.pk;
}

/** The states of messages that follow the first one. */
export function deliveryStateStore(table: Table) {
  return {
    /** The recorded states of a partner's message, and the unit of their times: a bulk send's are in whole seconds. */
    find: async (of: MessageOfPartner): Promise<{ states: ReachedState[]; unitMs: number }> => {
      const { partnerId, messageId } = of;
      const location = locateStates(messageId);
      const row = location && (await readRow(table, location.key));
      const own = row?.['partnerId'] === partnerId ? statesIn(row) : [];
      const states = own.filter((one) => one.messageId === messageId);
      return { states, unitMs: location?.unitMs ?? 1 };
    },

    /**
     * Records reports of one row, each state once: the first time stays. Returns for each report whether it was new.
     * No read and no condition, so the order of reports does not matter, and a repeat changes nothing in the row and
     * shows nothing to the stream.
     */
    record: async (reports: readonly Report[]): Promise<boolean[]> => {
      const isNew: boolean[] = [];
      for (const some of inGroups(reports, statesPerUpdate)) isNew.push(...(await recordOnce(table, some)));
      return isNew;
    },

    /** The states of these messages, by message; if not `consistent`, as they were a moment ago. */
    findMany: async (
      messageIds: readonly string[],
      { consistent = false } = {},
    ): Promise<ReadonlyMap<string, ReachedState[]>> => {
      const rows = await readAll(table, rowsOf(messageIds), { consistent });
      const states = rows.flatMap((row) => statesIn(row));
      return Map.groupBy(states, ({ messageId }) => messageId);
    },

    /**
     * Ends each message once, at its deadline, unless a delivery, an opening or a cancellation of it is recorded. Returns how many it
     * ended. A row in which all have ended costs a read, and any other row a write too.
     */
    expire: async (passed: readonly PassedDeadline[]): Promise<number> => {
      const groups = Map.groupBy(passed, rowOfReport);
      const keys = [...groups.values()].map(([one]) => locate((one as PassedDeadline).message.messageId).key);
      // An eventually consistent read, at half the price, is enough: the condition of the write decides.
      const rows = new Map((await readAll(table, keys)).map((row) => [String(row['pk']), row]));
      let ended = 0;
      await inParallel(stateRowsAtOnce, groups, async ([pk, group]) => {
        const inRow = await expireInRow(table, group, rows.get(pk));
        ended += inRow;
      });
      return ended;
    },
  };
}

export type DeliveryStateStore = ReturnType<typeof deliveryStateStore>;

type Row = Record<string, unknown>;

/** The rows of states that these messages have in common, each once. */
function rowsOf(messageIds: readonly string[]): RowKey[] {
  return distinctKeys(messageIds.map((id) => locate(id).key));
}

async function recordOnce(table: Table, reports: readonly Report[]): Promise<boolean[]> {
  const { names, update } = stateUpdate(reports);
  const { Attributes: before = {} } = await updateRow(table, { ...update, ReturnValues: 'ALL_OLD' });
  return names.map((name) => name !== undefined && !(name in before));
}

/**
 * The update that records reports of one row, where the first time of each state stays, and the attribute of each
 * report; a report that repeats another one has none.
 */
export function stateUpdate(reports: readonly Report[]) {
  const times = new Map<string, number>();
  const names = reports.map(({ message, state, atMs }) => {
    const position = locate(message.messageId);
    const name = stateAttribute(state, position.n);
    if (times.has(name)) return undefined;
    times.set(name, inUnit(position, atMs));
    return name;
  });
  const { key: Key } = locate((reports[0] as Report).message.messageId);
  const change = updateExpression({ set: otherAttributes(reports), setIfAbsent: Object.fromEntries(times) });
  return { names, update: { Key, ...change } };
}

/** A receipt may be recorded between the read and the write: then the write fails, and shows the row as it is. */
async function expireInRow(table: Table, passed: readonly PassedDeadline[], read: Row | undefined) {
  for (let row = read; ; ) {
    const open = passed.filter(({ message }) => isOpen(row, locate(message.messageId).n));
    if (open.length === 0) return 0;
    const locations = open.map(({ message, atMs }) => ({ ...locate(message.messageId), atMs }));
    const times = locations.map(
      (location) => [stateAttribute('EXPIRED', location.n), inUnit(location, location.atMs)] as const,
    );
    const received = locations.flatMap(({ n }) =>
      ReceiptState.options.map((state) => stateAttribute(state, n)),
    );
    const written = await updateIf(table, {
      Key: locations[0]?.key,
      ...updateExpression({ set: { ...otherAttributes(open), ...Object.fromEntries(times) } }),
      // 40 messages are 3.6 kB and 120 functions, of the 4 kB and 300 that DynamoDB takes.
      ConditionExpression: received.map((name) => `attribute_not_exists(${name})`).join(' AND '),
    });
    if (written.applied) return open.length;
    row = written.row;
  }
}

function isOpen(row: Row | undefined, n: number): boolean {
  return !row || !LaterState.options.some((state) => stateAttribute(state, n) in row);
}

/** The attributes of a row of states besides the times; `changes` are all of that row. */
function otherAttributes(changes: readonly PassedDeadline[]): Row {
  const { message } = changes[0] as PassedDeadline;
  const { partnerId, requestId } = message;
  const isCalledBack = changes.some(({ message }) => wantsCallbacks(message.content));
  return {
    partnerId,
    expiresAt: rowsExpireAt(message),
    requestId,
    [streamMarkers.callBack]: isCalledBack ? marked : undefined,
  };
}

function inUnit({ unitMs }: StatesLocation, atMs: number): number {
  return Math.floor(atMs / unitMs);
}

function locate(messageId: string): StatesLocation {
  const location = locateStates(messageId);
  if (!location) throw new Error(`${messageId} is not the id of a message`);
  return location;
}
