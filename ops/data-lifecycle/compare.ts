import { isDeepStrictEqual } from 'node:util';
import { kindOf } from '../../shared/platform/table/row-kinds.ts';
import { streamMarkers } from '../../shared/platform/table/stream-markers.ts';
import type { Row } from '../../shared/platform/table/write-all.ts';
import { containsErased } from '../../shared/push/packed-recipients.ts';

/** What a restore does with a row of the copy. */
export type Verdict =
  /** `put`: the row as it is written; `seen`: the live row it replaces. */
  | { is: 'missing'; put: Row }
  | { is: 'different'; put: Row; seen: Row }
  | { is: 'same' }
  /** Its kind is not restored, or the live row must win. */
  | { is: 'left' };

const markers = new Set<string>(Object.values(streamMarkers));

/** A message that is put back with its marker would be sent a second time. */
function withoutMarkers(row: Row): Row {
  const { pk, sk, ...rest } = row;
  return { pk, sk, ...Object.fromEntries(Object.entries(rest).filter(([name]) => !markers.has(name))) };
}

/** Rows past their `expiresAt` are left: time to live deleted them. */
export function compare(copy: Row, live: Row | undefined, nowMs: number): Verdict {
  const { restored } = kindOf(copy).kind;
  if (restored === 'no' || isExpired(copy, nowMs)) return { is: 'left' };
  if (!live) return { is: 'missing', put: withoutMarkers(copy) };
  const put = withoutMarkers(restored === 'merged' ? { ...live, ...copy } : copy);
  if (isDeepStrictEqual(put, withoutMarkers(live))) return { is: 'same' };
  if (restored === 'if higher' && countOf(live) >= countOf(copy)) return { is: 'left' };
  if (hasErasedNumber(live)) return { is: 'left' };
  return { is: 'different', put, seen: live };
}

function isExpired({ expiresAt }: Row, nowMs: number): boolean {
  return typeof expiresAt === 'number' && expiresAt * 1_000 <= nowMs;
}

/** A counter that goes down would give numbers out twice. */
function countOf(row: Row): number {
  return Number(row['lastNumber'] ?? row['lastId']);
}

/** Parts are written once. Only the erasure of a number changes one later, and must not be undone. */
function hasErasedNumber({ recipients }: Row): boolean {
  return recipients instanceof Uint8Array && containsErased(recipients);
}
