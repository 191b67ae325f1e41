import { epochSeconds } from '../platform/runtime/clock.ts';
import { inParallel } from '../platform/runtime/in-parallel.ts';
import { updateIf } from '../platform/table/condition.ts';
import { readAll } from '../platform/table/read-all.ts';
import { readRow, updateRow } from '../platform/table/rows.ts';
import { marked, streamMarkers } from '../platform/table/stream-markers.ts';
import type { Table } from '../platform/table/table.ts';
import { LaterState, ReceiptState } from './history.ts';
import {
  type MessageState,
  type StateSlot,
  stateAttribute,
  stateSlotOf,
  statesIn,
} from './message-states.ts';
import type { StoredMessage } from './message-store.ts';
import { rowsKeptMs } from './retention.ts';
import { wantsCallbacks } from './sending/push-content.ts';

/** More than the client has connections would wait for one and time out. */
const rowsAtOnce = 48;

/** A state of a message that exists, and when it was reached. */
export type Report = { message: StoredMessage; state: ReceiptState; atMs: number };

/** The deadline of a message, which has passed. */
export type PassedDeadline = { message: StoredMessage; atMs: number };

/** The partition key of the row of states that a report belongs to. */
export function rowOfReport({ message: { messageId } }: Pick<Report, 'message'>): string {
  return slotOf(messageId).key.pk;
}

/** The states of messages that follow the first one. */
export function deliveryStateStore(table: Table) {
  return {
    /** The recorded states of a message, and the unit of their times: a bulk send's are in whole seconds. */
    find: async (messageId: string): Promise<{ states: MessageState[]; unitMs: number }> => {
      const slot = stateSlotOf(messageId);
      const row = slot && (await readRow(table, slot.key));
      const states = row ? statesIn(row).filter((one) => one.messageId === messageId) : [];
      return { states, unitMs: slot?.unitMs ?? 1 };
    },

    /**
     * Records reports of one row, each state once: the first time stays. Returns for each report whether it was new.
     * No read and no condition, so the order of reports does not matter, and a repeat changes nothing in the row and
     * shows nothing to the stream.
     */
    record: async (reports: readonly Report[]): Promise<boolean[]> => {
      const [first] = reports;
      if (!first) return [];
      const times = new Map<string, number>();
      const names = reports.map(({ message, state, atMs }) => {
        const slot = slotOf(message.messageId);
        const name = stateAttribute(state, slot.n);
        if (times.has(name)) return undefined;
        times.set(name, inUnit(slot, atMs));
        return name;
      });
      const rest = restOfRow(reports);
      const sets = [
        ...Object.keys(rest).map((name) => `${name} = :${name}`),
        // 80 states are 2.7 kB and 160 operators, of 4 kB and 300.
        ...[...times.keys()].map((name) => `${name} = if_not_exists(${name}, :${name})`),
      ];
      const { Attributes: before = {} } = await updateRow(table, {
        Key: slotOf(first.message.messageId).key,
        UpdateExpression: `SET ${sets.join(', ')}`,
        ExpressionAttributeValues: valuesOf({ ...rest, ...Object.fromEntries(times) }),
        ReturnValues: 'ALL_OLD',
      });
      return names.map((name) => name !== undefined && !(name in before));
    },

    /**
     * Ends messages at their deadlines, each once: those of which no delivery and no opening is recorded. Returns how
     * many it ended. A row in which all have ended costs a read; any other, one write.
     */
    expire: async (passed: readonly PassedDeadline[]): Promise<number> => {
      const groups = Map.groupBy(passed, rowOfReport);
      const keys = [...groups.values()].map(([one]) => slotOf((one as PassedDeadline).message.messageId).key);
      // Rows as they were a moment ago, at half the price: the condition of the write decides.
      const rows = new Map((await readAll(table, keys)).map((row) => [String(row['pk']), row]));
      let ended = 0;
      await inParallel(rowsAtOnce, groups, async ([pk, group]) => {
        const inRow = await expireInRow(table, group, rows.get(pk));
        ended += inRow;
      });
      return ended;
    },
  };
}

type Row = Record<string, unknown>;

/** A receipt may be recorded between the read and the write: then the write fails, and shows the row as it is. */
async function expireInRow(
  table: Table,
  passed: readonly PassedDeadline[],
  read: Row | undefined,
): Promise<number> {
  for (let row = read; ; ) {
    const open = passed.filter(({ message }) => isOpen(row, slotOf(message.messageId).n));
    const [first] = open;
    if (!first) return 0;
    const ends = open.map(({ message, atMs }) => {
      const slot = slotOf(message.messageId);
      return { n: slot.n, name: stateAttribute('EXPIRED', slot.n), time: inUnit(slot, atMs) };
    });
    const rest = restOfRow(open);
    const times = Object.fromEntries(ends.map(({ name, time }) => [name, time]));
    const written = await updateIf(table, {
      Key: slotOf(first.message.messageId).key,
      UpdateExpression: `SET ${[...Object.keys(rest), ...Object.keys(times)].map((name) => `${name} = :${name}`).join(', ')}`,
      // 40 messages are 2.4 kB and 80 functions, of 4 kB and 300.
      ConditionExpression: ends
        .flatMap(({ n }) =>
          ReceiptState.options.map((state) => `attribute_not_exists(${stateAttribute(state, n)})`),
        )
        .join(' AND '),
      ExpressionAttributeValues: valuesOf({ ...rest, ...times }),
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    if (written.applied) return open.length;
    row = written.existing;
  }
}

function isOpen(row: Row | undefined, n: number): boolean {
  return !row || !LaterState.options.some((state) => stateAttribute(state, n) in row);
}

/** What a row of states says besides the states; `changes` are all of one row. */
function restOfRow(changes: readonly Pick<Report, 'message'>[]): Row {
  const [first] = changes;
  if (!first) return {};
  const { partnerId, acceptedAt, requestId } = first.message;
  return {
    partnerId,
    expiresAt: epochSeconds(acceptedAt + rowsKeptMs),
    ...(requestId ? { requestId } : {}),
    ...(changes.some(({ message }) => wantsCallbacks(message.content))
      ? { [streamMarkers.callBack]: marked }
      : {}),
  };
}

function valuesOf(attributes: Row): Row {
  return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [`:${name}`, value]));
}

function inUnit({ unitMs }: StateSlot, atMs: number): number {
  return Math.floor(atMs / unitMs);
}

function slotOf(messageId: string): StateSlot {
  const slot = stateSlotOf(messageId);
  if (!slot) throw new Error(`${messageId} is not the id of a message`);
  return slot;
}
