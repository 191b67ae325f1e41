import * as z from 'zod/mini';
import { hours } from '../platform/runtime/clock.ts';

/** The states of a message when it is accepted. */
export const FirstState = z.enum(['MSISDN_NOT_REGISTERED', 'ENQUEUED']);
export function firstState(registered: boolean): z.infer<typeof FirstState> {
  return registered ? 'ENQUEUED' : 'MSISDN_NOT_REGISTERED';
}

/** The states that the wallet platform reports. */
export const ReceiptState = z.enum(['DELIVERED', 'OPENED']);
export type ReceiptState = z.infer<typeof ReceiptState>;

/** The states that follow the first one. EXPIRED is the service's own: the deadline has passed (rule 42). */
export const LaterState = z.enum([...ReceiptState.options, 'EXPIRED']);
export type LaterState = z.infer<typeof LaterState>;

export const PushState = z
  .enum([...FirstState.options, ...LaterState.options])
  .register(z.globalRegistry, { id: 'MessageState' });
export type PushState = z.infer<typeof PushState>;

export type Change = { state: PushState; atMs: number };

/** How far a state is in the life of a message. A receipt may be late, so DELIVERED comes after EXPIRED. */
export const rank: Record<PushState, number> = {
  MSISDN_NOT_REGISTERED: 0,
  ENQUEUED: 0,
  EXPIRED: 1,
  DELIVERED: 2,
  OPENED: 3,
};

/**
 * The changes of a message in the order of time; at the same moment, in the order of its life. `unitMs` is the unit
 * in which the recorded times are known.
 */
export function orderHistory(first: Change, recorded: readonly Change[], unitMs = 1): Change[] {
  const unitOf = ({ atMs }: Change) => Math.floor(atMs / unitMs);
  return [first, ...recorded].sort((a, b) => unitOf(a) - unitOf(b) || rank[a.state] - rank[b.state]);
}

/** The time of a change as histories write it: yyyy-MM-ddTHH:mm:ss+0300. */
export function historyTime(atMs: number): string {
  return `${new Date(atMs + hours(3)).toISOString().slice(0, 19)}+0300`;
}
