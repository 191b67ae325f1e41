import * as z from 'zod/mini';
import { hours } from '../platform/runtime/clock.ts';
import type { HandOverTimes } from './hand-over.ts';

/** The states of a message when it is accepted. */
export const FirstState = z.enum(['MSISDN_NOT_REGISTERED', 'ENQUEUED', 'SCHEDULED']);
export function firstState(registered: boolean, isScheduled: boolean): z.infer<typeof FirstState> {
  if (!registered) return 'MSISDN_NOT_REGISTERED';
  return isScheduled ? 'SCHEDULED' : 'ENQUEUED';
}

/** The states that the wallet platform reports. CANCELLED: it has removed the message before anybody opened it. */
export const ReceiptState = z.enum(['DELIVERED', 'OPENED', 'CANCELLED']);
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
  SCHEDULED: 0,
  ENQUEUED: 1,
  EXPIRED: 2,
  DELIVERED: 3,
  CANCELLED: 4,
  OPENED: 5,
};

/** A message as its history needs it: whether it is registered, and when it was handed over. */
type Accepted = HandOverTimes & { registered: boolean };

const ends: ReadonlySet<PushState> = new Set(['CANCELLED', 'EXPIRED']);

/**
 * The changes of a message in the order of time; at the same moment, in the order of its life. `unitMs` is the unit
 * in which the recorded times are known.
 */
export function orderHistory(message: Accepted, recorded: readonly Change[], unitMs = 1): Change[] {
  const unitOf = ({ atMs }: Pick<Change, 'atMs'>) => Math.floor(atMs / unitMs);
  const isEndBefore = (release: Change) => (change: Change) =>
    ends.has(change.state) && unitOf(change) < unitOf(release);
  const { registered, acceptedAt, deliverFrom } = message;
  const first = { state: firstState(registered, deliverFrom !== undefined), atMs: acceptedAt };
  const handedOver = releaseOf(message);
  // What had ended before the release was not handed over.
  const isHandedOver = handedOver && !recorded.some(isEndBefore(handedOver));
  const changes = [first, ...(isHandedOver ? [handedOver] : []), ...recorded];
  return changes.sort((a, b) => unitOf(a) - unitOf(b) || rank[a.state] - rank[b.state]);
}

/** The release of a message that was scheduled. */
function releaseOf({ registered, deliverFrom, releasedAt }: Accepted): Change | undefined {
  if (!registered || deliverFrom === undefined || releasedAt === undefined) return undefined;
  return { state: 'ENQUEUED', atMs: releasedAt };
}

/** The time of a change as histories write it: yyyy-MM-ddTHH:mm:ss+0300. */
export function historyTime(atMs: number): string {
  return `${new Date(atMs + hours(3)).toISOString().slice(0, 19)}+0300`;
}
