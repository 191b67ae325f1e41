import { isDeepStrictEqual } from 'node:util';
import type { Row } from '../../shared/platform/table/batches.ts';
import { kindOf } from '../../shared/platform/table/row-kinds.ts';
import { streamMarkers } from '../../shared/platform/table/stream-markers.ts';
import { containsErased } from '../../shared/push/packed-recipients.ts';

/** The outcome of comparing a row of the copy with the live row. */
export type Comparison =
  /** `put` is the row to write, `seen` the live row that it replaces. */
  | { is: 'missing'; put: Row }
  | { is: 'different'; put: Row; seen: Row }
  | { is: 'same' }
  /** The kind is not restored, or the live row wins. */
  | { is: 'left' };

const markers = new Set<string>(Object.values(streamMarkers));
/** The attribute that a restore writes. */
const ofRestores = 'restoredAt';

/** Removes the stream's markers, with which a restored message would be sent again, and what each restore writes. */
function withoutMarkers(row: Row): Row {
  const { pk, sk, ...rest } = row;
  const stays = ([name]: [string, unknown]) => !markers.has(name) && name !== ofRestores;
  return { pk, sk, ...Object.fromEntries(Object.entries(rest).filter(stays)) };
}

/** Compares a row with the live one. Rows past their `expiresAt` are left alone, because time to live deleted them. */
export function compare(copy: Row, live: Row | undefined, nowMs: number): Comparison {
  const { restored } = kindOf(copy).kind;
  if (restored === 'no' || isExpired(copy, nowMs)) return { is: 'left' };
  if (!live) return { is: 'missing', put: withNumbersSkipped(withoutMarkers(copy)) };
  const put = withoutMarkers(restored === 'merged' ? { ...live, ...copy } : withLaterKeys(copy, live));
  // Somebody takes the send back, which the copy does not know.
  if (restored === 'last' && 'cancelRequestId' in live) return { is: 'left' };
  if (isDeepStrictEqual(put, withoutMarkers(live))) return { is: 'same' };
  if (restored === 'if higher' && countOf(live) >= countOf(copy)) return { is: 'left' };
  if (hasErasedNumber(live) || hasLostSummary(copy, live)) return { is: 'left' };
  return { is: 'different', put: withNumbersSkipped(put), seen: live };
}

/** More check-ins than an offer opens between the copy's moment and the end of a restore. */
const numbersSkipped = 1_000_000;

/** The row of a counter of check-ins after a gap, because cash desks may have numbers from after the copy's moment. */
export function withNumbersSkipped(row: Row): Row {
  if (kindOf(row).kind.name !== 'check-in counter') return row;
  return { ...row, lastNumber: Number(row['lastNumber']) + numbersSkipped };
}

/** A partner's entry that also names the keys made since. One without a name there works, and nobody could end it. */
function withLaterKeys(copy: Row, live: Row): Row {
  if (kindOf(copy).kind.name !== 'partner entry') return copy;
  const loginsOf = ({ logins }: Row): unknown[] => (Array.isArray(logins) ? logins : []);
  return { ...copy, logins: [...new Set([copy, live].flatMap(loginsOf))] };
}

function isExpired({ expiresAt }: Row, nowMs: number): boolean {
  return typeof expiresAt === 'number' && expiresAt * 1_000 <= nowMs;
}

/** The value of a counter. It must never go down, because numbers would be given out twice. */
function countOf(row: Row): number {
  return Number(row['lastNumber'] ?? row['lastId']);
}

/** True for a part from which a number was erased. That is the only later change of a part, and stays. */
function hasErasedNumber({ recipients }: Row): boolean {
  return recipients instanceof Uint8Array && containsErased(recipients);
}

/** A bulk send loses its summary when the last of its recipients is erased. */
function hasLostSummary(copy: Row, live: Row): boolean {
  return 'summary' in copy && !('summary' in live);
}
