import { days, epochSeconds } from '../platform/runtime/clock.ts';
import { readRow, updateRow } from '../platform/table/rows.ts';
import { marked, streamMarkers } from '../platform/table/stream-markers.ts';
import type { Table } from '../platform/table/table.ts';
import type { ReceiptState } from './history.ts';
import { stateAttribute, stateSlotOf, statesIn } from './message-states.ts';
import type { StoredMessage } from './message-store.ts';
import { wantsCallbacks } from './sending/push-content.ts';

const keptMs = days(30);

/** A state of a message that exists, and when it was reached. */
export type Report = { message: StoredMessage; state: ReceiptState; atMs: number };

/** Reports of one row of states go together. */
export function rowOfReport({ message: { messageId } }: Report): string {
  return slotOf(messageId).key.pk;
}

/** The states that the wallet platform reported of messages. */
export function deliveryStateStore(table: Table) {
  return {
    /** The recorded states of a message, and the unit of their times: a bulk send's are in whole seconds. */
    find: async (
      messageId: string,
    ): Promise<{ states: { state: ReceiptState; atMs: number }[]; unitMs: number }> => {
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
      const { messageId, partnerId, acceptedAt, requestId } = first.message;
      const times = new Map<string, number>();
      const names = reports.map(({ message, state, atMs }) => {
        const { n, unitMs } = slotOf(message.messageId);
        const name = stateAttribute(state, n);
        if (times.has(name)) return undefined;
        times.set(name, Math.floor(atMs / unitMs));
        return name;
      });
      const rest = {
        partnerId,
        expiresAt: epochSeconds(acceptedAt + keptMs),
        ...(requestId ? { requestId } : {}),
        ...(reports.some(({ message }) => wantsCallbacks(message.content))
          ? { [streamMarkers.callBack]: marked }
          : {}),
      };
      const sets = [
        ...Object.keys(rest).map((name) => `${name} = :${name}`),
        // 80 states are 2.7 kB and 160 operators, of 4 kB and 300.
        ...[...times.keys()].map((name) => `${name} = if_not_exists(${name}, :${name})`),
      ];
      const values = { ...rest, ...Object.fromEntries(times) };
      const { Attributes: before = {} } = await updateRow(table, {
        Key: slotOf(messageId).key,
        UpdateExpression: `SET ${sets.join(', ')}`,
        ExpressionAttributeValues: Object.fromEntries(
          Object.entries(values).map(([name, value]) => [`:${name}`, value]),
        ),
        ReturnValues: 'ALL_OLD',
      });
      return names.map((name) => name !== undefined && !(name in before));
    },
  };
}

export type DeliveryStateStore = ReturnType<typeof deliveryStateStore>;

function slotOf(messageId: string) {
  const slot = stateSlotOf(messageId);
  if (!slot) throw new Error(`${messageId} is not the id of a message`);
  return slot;
}
