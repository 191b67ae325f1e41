import { epochSeconds } from '../platform/runtime/clock.ts';
import { inParallel } from '../platform/runtime/in-parallel.ts';
import { updateIf } from '../platform/table/condition.ts';
import { readAll } from '../platform/table/read-all.ts';
import { readRow, updateRow } from '../platform/table/rows.ts';
import { marked, streamMarkers } from '../platform/table/stream-markers.ts';
import type { Table } from '../platform/table/table.ts';
import { LaterState, ReceiptState } from './history.ts';
import type { StoredMessage } from './message-rows.ts';
import {
  type MessageState,
  type StateSlot,
  stateAttribute,
  stateRowsAtOnce,
  stateSlotOf,
  statesIn,
} from './message-states.ts';
import { rowsKeptMs } from './retention.ts';
import { wantsCallbacks } from './sending/push-content.ts';

/** A state of a message that exists, and when it was reached. */
export type Report = { message: StoredMessage; state: ReceiptState; atMs: number };
/** A message whose deadline `atMs` has passed. */
type PassedDeadline = Omit<Report, 'state'>;

/** The partition key of the row of states that a report belongs to. */
export function rowOfReport({ message: { messageId } }: PassedDeadline): string {
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
      if (reports.length === 0) return [];
      const times = new Map<string, number>();
      const names = reports.map(({ message, state, atMs }) => {
        const slot = slotOf(message.messageId);
        const name = stateAttribute(state, slot.n);
        if (times.has(name)) return undefined;
        times.set(name, inUnit(slot, atMs));
        return name;
      });
      // 80 states are 2.7 kB and 160 operators, of the 4 kB and 300 that DynamoDB takes.
      const update = updateOf(reports, times, (name) => `${name} = if_not_exists(${name}, :${name})`);
      const { Attributes: before = {} } = await updateRow(table, { ...update, ReturnValues: 'ALL_OLD' });
      return names.map((name) => name !== undefined && !(name in before));
    },

    /**
     * Ends each message once, at its deadline, unless a delivery or an opening of it is recorded. Returns how many it
     * ended. A row in which all have ended costs a read, and any other row a write too.
     */
    expire: async (passed: readonly PassedDeadline[]): Promise<number> => {
      const groups = Map.groupBy(passed, rowOfReport);
      const keys = [...groups.values()].map(([one]) => slotOf((one as PassedDeadline).message.messageId).key);
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

type Row = Record<string, unknown>;

/** A receipt may be recorded between the read and the write: then the write fails, and shows the row as it is. */
async function expireInRow(
  table: Table,
  passed: readonly PassedDeadline[],
  read: Row | undefined,
): Promise<number> {
  for (let row = read; ; ) {
    const open = passed.filter(({ message }) => isOpen(row, slotOf(message.messageId).n));
    if (open.length === 0) return 0;
    const slots = open.map(({ message, atMs }) => ({ ...slotOf(message.messageId), atMs }));
    const times = slots.map((slot) => [stateAttribute('EXPIRED', slot.n), inUnit(slot, slot.atMs)] as const);
    const received = slots.flatMap(({ n }) => ReceiptState.options.map((state) => stateAttribute(state, n)));
    const written = await updateIf(table, {
      ...updateOf(open, new Map(times), (name) => `${name} = :${name}`),
      // 40 messages are 2.4 kB and 80 functions, of the 4 kB and 300 that DynamoDB takes.
      ConditionExpression: received.map((name) => `attribute_not_exists(${name})`).join(' AND '),
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    if (written.applied) return open.length;
    row = written.existing;
  }
}

function isOpen(row: Row | undefined, n: number): boolean {
  return !row || !LaterState.options.some((state) => stateAttribute(state, n) in row);
}

/** Sets the times in a row of states, and its other attributes; `changes` are all of that row. */
function updateOf(
  changes: readonly PassedDeadline[],
  times: ReadonlyMap<string, number>,
  setTime: (name: string) => string,
) {
  const { messageId, partnerId, acceptedAt, requestId } = (changes[0] as PassedDeadline).message;
  const others = {
    partnerId,
    expiresAt: epochSeconds(acceptedAt + rowsKeptMs),
    ...(requestId ? { requestId } : {}),
    ...(changes.some(({ message }) => wantsCallbacks(message.content))
      ? { [streamMarkers.callBack]: marked }
      : {}),
  };
  const sets = [
    ...Object.keys(others).map((name) => `${name} = :${name}`),
    ...[...times.keys()].map(setTime),
  ];
  const values = [...Object.entries(others), ...times];
  return {
    Key: slotOf(messageId).key,
    UpdateExpression: `SET ${sets.join(', ')}`,
    ExpressionAttributeValues: Object.fromEntries(values.map(([name, value]) => [`:${name}`, value])),
  };
}

function inUnit({ unitMs }: StateSlot, atMs: number): number {
  return Math.floor(atMs / unitMs);
}

function slotOf(messageId: string): StateSlot {
  const slot = stateSlotOf(messageId);
  if (!slot) throw new Error(`${messageId} is not the id of a message`);
  return slot;
}
