import { days, epochSeconds, hours } from '../platform/runtime/clock.ts';
import { deadlineOf } from './deadlines/deadline.ts';
import type { HandOverTimes } from './hand-over.ts';
import type { PushContent } from './sending/push-content.ts';

/** Messages and their history are kept this long after they were accepted, or after their `deliverFrom` (rules 21, 54). */
export const messagesKeptMs = days(30);

/** A deadline may be 30 days ahead too, and the end of the message is recorded and called back after it. */
const afterDeadlineMs = hours(12);

/**
 * Rows are kept longer than both: a feed shows the last state for 7 days more, and reads the message for it (rule 58);
 * and if a request is continued a day later, its send is accepted later than the parts that its first try stored.
 */
const rowsKeptMs = days(39);

type Kept = Pick<HandOverTimes, 'acceptedAt' | 'deliverFrom'>;

/** The time to live of the rows of a send. */
export function rowsExpireAt({ acceptedAt, deliverFrom = acceptedAt }: Kept): number {
  return epochSeconds(deliverFrom + rowsKeptMs);
}

export function isSendKept({ acceptedAt, deliverFrom = acceptedAt }: Kept, nowMs: number): boolean {
  return deliverFrom + messagesKeptMs > nowMs;
}

export function isKept({ content, ...send }: Kept & { content: PushContent }, nowMs: number): boolean {
  const deadline = deadlineOf(content);
  return isSendKept(send, nowMs) || (deadline !== undefined && deadline + afterDeadlineMs > nowMs);
}
