import { days } from '../platform/runtime/clock.ts';

/** A send may wait this long for its time. */
export const mostScheduledAheadMs = days(7);

/** When a send was accepted and, if it has a time to wait for, that time and when it was released; ms (rule 54). */
export type HandOverTimes = {
  acceptedAt: number;
  deliverFrom?: number | undefined;
  releasedAt?: number | undefined;
};

/** When the messages of a send were handed over to the wallet platform; `undefined` while they wait for their time. */
export function handedOverAt({ acceptedAt, deliverFrom, releasedAt }: HandOverTimes): number | undefined {
  return deliverFrom === undefined ? acceptedAt : releasedAt;
}
