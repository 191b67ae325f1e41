import * as z from 'zod/mini';
import { type Queue, sendOne } from '../platform/queues/queue.ts';
import { unlessItFails } from '../platform/runtime/unless-it-fails.ts';
import { Callback, CallbackRef } from './callback.ts';

/** The place of a message in the line of an endpoint that has a pace: the member `waits` of a message. */
const PlaceInLine = z.object({
  /** When the message joined the line first, ms. */
  since: z.int(),
  /** When it returns, ms, in the line of the pace `perSecond`. */
  until: z.number(),
  perSecond: z.int(),
});
export type PlaceInLine = z.infer<typeof PlaceInLine>;

/** Callbacks that became due together, with the members that they share stored once. */
const CallbackGroup = z.object({
  partnerId: z.string(),
  utm: z.optional(z.string()),
  requestId: z.optional(z.string()),
  /** When their states were recorded, ms. */
  recordedAt: z.optional(z.int()),
  callbacks: z
    .array(z.pick(Callback, { messageId: true, state: true, msisdn: true, changedAt: true, alert: true }))
    .check(z.minLength(1)),
});

/**
 * A message of the callbacks queue. `first` contains callbacks, which have no rows. `retry` names the row of a callback
 * that is retried, probes, was deferred or is replayed, and its version then: if the row has a newer one, the message is
 * void.
 */
export const CallbackMessage = z.discriminatedUnion('kind', [
  z.extend(CallbackGroup, {
    kind: z.literal('first'),
    waits: z.optional(PlaceInLine),
    /** An earlier delivery of these callbacks may have attempted them. */
    mayBeRepeat: z.optional(z.literal(true)),
  }),
  z.extend(CallbackRef, { kind: z.literal('retry'), version: z.int(), waits: z.optional(PlaceInLine) }),
]);
export type CallbackMessage = z.infer<typeof CallbackMessage>;

/** The message, or `undefined` for a body that our functions did not write. */
export function readCallbackMessage(body: string): CallbackMessage | undefined {
  return unlessItFails(() => {
    const message = CallbackMessage.parse(JSON.parse(body));
    // Checked here, where the message can be parked, and not during an attempt.
    if (message.kind === 'first' && message.utm !== undefined) JSON.parse(message.utm);
    return message;
  });
}

/** A callback that is due: either complete in its message, or a row at the version that the message names. */
export type DueCallback = Callback | RowAtVersion;

type RowAtVersion = CallbackRef & { version: number };

export function dueCallbacksOf(message: CallbackMessage): DueCallback[] {
  if (message.kind === 'retry') return [message];
  const { partnerId, utm, requestId, callbacks } = message;
  return callbacks.map((callback) => ({ ...callback, partnerId, utm, requestId }));
}

/** A callback, and when its state was recorded, ms. */
export type NewCallback = Callback & { recordedAt?: number | undefined };

/** The message of callbacks that have the shared members in common. The schema drops what is not in its place. */
export function firstMessage(callbacks: readonly NewCallback[]): string {
  return JSON.stringify(CallbackMessage.parse({ ...callbacks[0], kind: 'first', callbacks }));
}

export function rowMessage({ partnerId, messageId, state, version }: RowAtVersion): string {
  return JSON.stringify({ kind: 'retry', partnerId, messageId, state, version } satisfies CallbackMessage);
}

/** Sends a row's message, delayed by whole seconds: rounded up, so that it does not arrive early. */
export function sendRowMessage(queue: Queue, row: RowAtVersion, delayMs: number): Promise<void> {
  const delaySeconds = delayMs < 1_000 ? 0 : Math.ceil(delayMs / 1_000);
  return sendOne(queue, { body: rowMessage(row), group: row.partnerId, delaySeconds });
}

/**
 * Sends a message again, or those of its callbacks that are not done. If the worker dies before it deletes the original,
 * both are delivered.
 */
export function sendAgain(
  queue: Queue,
  message: CallbackMessage,
  {
    dueCallbacks,
    inLine = message.waits,
    delaySeconds,
  }: { dueCallbacks: readonly DueCallback[] } & { inLine?: PlaceInLine | undefined; delaySeconds?: number },
): Promise<void> {
  const [one] = dueCallbacks;
  // A message about a row has one callback, whose version may have changed since.
  const due = one && 'version' in one ? { version: one.version } : { callbacks: dueCallbacks };
  const members = { ...message, ...due, waits: inLine };
  const body = JSON.stringify(CallbackMessage.parse(members));
  return sendOne(queue, { body, group: message.partnerId, delaySeconds });
}
