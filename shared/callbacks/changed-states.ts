import * as z from 'zod/mini';
import { marked, streamMarkers } from '../table/stream-markers.ts';
import type { Callback, CallbackState } from './callback.ts';

const JsonObject = z.record(z.string(), z.unknown());

/** The row of a message's states, as far as callbacks need it. */
const StateRow = z.object({
  partnerId: z.string(),
  messageId: z.string(),
  msisdn: z.int(),
  deliveredAt: z.optional(z.int()),
  openedAt: z.optional(z.int()),
  [streamMarkers.callBack]: z.optional(z.literal(marked)),
  requestId: z.optional(z.string()),
  utm: z.optional(
    z
      .string()
      .check(
        z.refine((text) => JsonObject.safeParse(jsonOf(text)).success, 'must be the text of a JSON object'),
      ),
  ),
});

/** Only used to tell which states are new. */
const EarlierRow = z.object({ deliveredAt: z.optional(z.number()), openedAt: z.optional(z.number()) });

/**
 * The callbacks of a changed state row: one for each state that it has and had not before. Throws if it is not a
 * state row.
 */
export function changedStates(after: unknown, before: unknown): Callback[] {
  const { [streamMarkers.callBack]: isMarked, deliveredAt, openedAt, ...message } = StateRow.parse(after);
  if (!isMarked) return [];
  const earlier = EarlierRow.parse(before ?? {});
  const callback = (state: CallbackState, now: number | undefined, then: number | undefined): Callback[] =>
    now === undefined || then !== undefined ? [] : [{ ...message, state, changedAt: now }];
  return [
    ...callback('DELIVERED', deliveredAt, earlier.deliveredAt),
    ...callback('OPENED', openedAt, earlier.openedAt),
  ];
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
