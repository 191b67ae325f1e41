import { minutes } from '../../platform/runtime/clock.ts';
import { handedOverAt } from '../hand-over.ts';
import type { Send } from '../message-rows.ts';
import type { Deadline } from './deadline-store.ts';
import { graceMs } from './sweep-sends.ts';

/**
 * What is to be done with a send that is due: `cancel` all its messages; `ask back` those that were handed over; `release`
 * it; `end` messages whose deadline has passed; `drop` what is due, because nothing follows; or `wait`.
 */
export type Step = 'cancel' | 'ask back' | 'release' | 'end' | 'drop' | 'wait';

/** A request writes what is due before its send. No request takes longer than this to store both. */
const acceptingMs = minutes(5);

/** `send` is absent if it was not accepted, or is gone. It must have been read after what is due of it. */
export function nextStep(due: Deadline, send: Send | undefined, nowMs: number): Step {
  const isAsked = due.cancelRequestId !== undefined;
  if (!isAsked && due.dueAt > nowMs - graceMs) return 'wait';
  if (!send) return due.acceptedAt + acceptingMs < nowMs ? 'drop' : 'wait';
  const isHandedOver = handedOverAt(send) !== undefined;
  if (isAsked) return isHandedOver ? 'ask back' : 'cancel';
  if (isHandedOver) return 'end';
  if (send.cancelledAt !== undefined) return 'drop';
  // Not handed over, so it has a time.
  return (send.deliverFrom as number) > nowMs - graceMs ? 'wait' : 'release';
}

/** Whether a restore forbids the release: the send may have been released after the moment of the restored copy. */
export function wasDueBeforeRestore({ restoredAt }: Deadline, { deliverFrom }: Send): boolean {
  return restoredAt !== undefined && deliverFrom !== undefined && deliverFrom <= restoredAt;
}
