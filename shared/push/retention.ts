import { days, hours } from '../platform/runtime/clock.ts';
import { deadlineOf } from './deadlines/deadline.ts';
import type { PushContent } from './sending/push-content.ts';

/** Messages and their history are kept this long after they were accepted (rule 21). */
export const messagesKeptMs = days(30);

/** A deadline may be 30 days ahead too, and the end of the message is recorded and called back after it. */
const afterDeadlineMs = hours(12);

/**
 * Rows are kept longer than both, and a day more: if a request is continued a day later, its send is accepted later
 * than the parts that its first try stored.
 */
export const rowsKeptMs = days(32);

export function isKept({ acceptedAt, content }: { acceptedAt: number; content: PushContent }, nowMs: number) {
  const deadline = deadlineOf(content);
  const keptUntil = acceptedAt + messagesKeptMs;
  return (deadline === undefined ? keptUntil : Math.max(keptUntil, deadline + afterDeadlineMs)) > nowMs;
}
