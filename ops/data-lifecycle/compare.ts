import { isDeepStrictEqual } from 'node:util';
import { hasForgotten } from '../../shared/push/packed-recipients.ts';
import type { Row } from '../../shared/table/write-all.ts';
import { kindOf } from './row-kinds.ts';

/** What a row of the copy means for the live table. */
export type Verdict =
  /** `put`: as it goes back; `seen`: the live row it replaces. */
  | { is: 'missing'; put: Row }
  | { is: 'different'; put: Row; seen: Row }
  | { is: 'same' }
  /** It is never put back, or what stands there is newer by its nature. */
  | { is: 'left' };

/**
 * Marks at which the stream's readers act on a new row: a message that is put back with its mark would be sent a
 * second time.
 */
const streamMarks = ['toDispatch', 'toCallBack'] as const;

function withoutMarks(row: Row): Row {
  const { pk, sk, ...rest } = row;
  return { pk, sk, ...Object.fromEntries(Object.entries(rest).filter(([name]) => !isMark(name))) };
}

function isMark(name: string): boolean {
  return streamMarks.some((mark) => mark === name);
}

/** Whether a row of the copy is put back. Rows past their end stay away: time to live removed them. */
export function compare(copy: Row, live: Row | undefined, nowMs: number): Verdict {
  const { restored } = kindOf(copy).kind;
  if (restored === 'not' || isOver(copy, nowMs)) return { is: 'left' };
  const put = withoutMarks(copy);
  if (!live) return { is: 'missing', put };
  if (isDeepStrictEqual(put, withoutMarks(live))) return { is: 'same' };
  if (restored === 'upwards' && countOf(live) >= countOf(copy)) return { is: 'left' };
  if (isForgotten(live)) return { is: 'left' };
  return { is: 'different', put, seen: live };
}

function isOver({ expiresAt }: Row, nowMs: number): boolean {
  return typeof expiresAt === 'number' && expiresAt * 1_000 <= nowMs;
}

/** A counter that goes back would give numbers out again. */
function countOf(row: Row): number {
  return Number(row['lastNumber'] ?? row['lastId']);
}

/** Parts are written once; what changed one since is that a number was forgotten, and must stay so. */
function isForgotten({ recipients }: Row): boolean {
  return recipients instanceof Uint8Array && hasForgotten(recipients);
}
