import * as z from 'zod/mini';
import { bulkStatesKey, messageStateKey, parseStatesKey } from '../platform/table/row-keys/push.ts';
import type { RowKey } from '../platform/table/row-keys/row-key.ts';
import { LaterState } from './history.ts';
import { bulkMessageId, parseMessageId } from './message-id.ts';

/** This many neighbours of a bulk send share a row of states. With two states of each it takes one write unit. */
const messagesPerStateRow = 40;

/** Stays below the connections of the table's client: a further write would wait for one and time out. */
export const stateRowsAtOnce = 48;

/** The place of a message's states: the row, the message's number in it, and the unit of its times. */
export type StatesLocation = { key: RowKey; n: number; unitMs: number };

export type ReachedState = { messageId: string; state: LaterState; atMs: number };

const prefixes: Record<LaterState, string> = { DELIVERED: 'd', OPENED: 'o', CANCELLED: 'c', EXPIRED: 'e' };

/** `d7`: when message 7 of the row was delivered, in the row's unit. */
export function stateAttribute(state: LaterState, n: number): string {
  return `${prefixes[state]}${n}`;
}

/** A single message has a row to itself; `undefined` for an id that is not ours. */
export function locateStates(messageId: string): StatesLocation | undefined {
  const address = parseMessageId(messageId);
  if (!address) return undefined;
  const { sendId, position, isSingle } = address;
  if (isSingle) return { key: messageStateKey(messageId), n: 0, unitMs: 1 };
  const key = bulkStatesKey(sendId, Math.floor(position / messagesPerStateRow));
  return { key, n: position % messagesPerStateRow, unitMs: 1_000 };
}

const StateRow = z.looseObject({ pk: z.string(), sk: z.string() });
const Time = z.int();

/**
 * The states that a row has and had not before, by message, DELIVERED first. Throws if it is no row of states. What had
 * expired or was opened before is not CANCELLED (rule 54).
 */
export function statesIn(row: unknown, before: unknown = {}): ReachedState[] {
  const after = StateRow.parse(row);
  const owner = parseStatesKey(after);
  if (!owner) throw new Error('not a row of states');
  const states: ReachedState[] = [];
  const single = 'messageId' in owner;
  for (let n = 0; n < (single ? 1 : messagesPerStateRow); n++) {
    for (const state of LaterState.options) {
      const name = stateAttribute(state, n);
      if (after[name] === undefined || name in (before as object)) continue;
      if (state === 'CANCELLED' && hadEnded(after, n)) continue;
      const messageId = single
        ? owner.messageId
        : bulkMessageId(owner.bulkId, owner.group * messagesPerStateRow + n);
      states.push({ messageId, state, atMs: Time.parse(after[name]) * (single ? 1 : 1_000) });
    }
  }
  return states;
}

/** Whether a message had expired or was opened before it was taken back. EXPIRED is only written where CANCELLED is not. */
function hadEnded(row: Record<string, unknown>, n: number): boolean {
  const at = (state: LaterState) => row[stateAttribute(state, n)];
  return at('EXPIRED') !== undefined || Number(at('OPENED')) < Number(at('CANCELLED'));
}
