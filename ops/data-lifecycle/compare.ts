import { isDeepStrictEqual } from 'node:util';
import { hasForgotten } from '../../shared/push/packed-recipients.ts';
import { kindOf } from '../../shared/table/row-kinds.ts';
import { streamMarkers } from '../../shared/table/stream-markers.ts';
import type { Row } from '../../shared/table/write-all.ts';

/** What a row of the copy means for the live table. */
export type Verdict =
  /** `put`: as it goes back; `seen`: the live row it replaces. */
  | { is: 'missing'; put: Row }
  | { is: 'different'; put: Row; seen: Row }
  | { is: 'same' }
  /** It is never put back, or what stands there is newer by its nature. */
  | { is: 'left' };

/** A message that is put back with its marker would be sent a second time. */
function withoutMarkers(row: Row): Row {
  const { pk, sk, ...rest } = row;
  return { pk, sk, ...Object.fromEntries(Object.entries(rest).filter(([name]) => !isMarker(name))) };
}

function isMarker(name: string): boolean {
  return Object.values<string>(streamMarkers).includes(name);
}

/** Whether a row of the copy is put back. Rows past their end stay away: time to live removed them. */
export function compare(copy: Row, live: Row | undefined, nowMs: number): Verdict {
  const { restored } = kindOf(copy).kind;
  if (restored === 'no' || isOver(copy, nowMs)) return { is: 'left' };
  const put = withoutMarkers(copy);
  if (!live) return { is: 'missing', put };
  if (isDeepStrictEqual(put, withoutMarkers(live))) return { is: 'same' };
  if (restored === 'if higher' && countOf(live) >= countOf(copy)) return { is: 'left' };
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
