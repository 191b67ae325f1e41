import * as z from 'zod/mini';
import { Callback, CallbackRef } from './callback.ts';

/**
 * What travels through the queue of callbacks. `first` carries the callback itself and has no row behind it;
 * `retry` names a row and the version at which it was sent: when the row has moved on, the message is void.
 */
export const CallbackMessage = z.discriminatedUnion('kind', [
  z.extend(Callback, { kind: z.literal('first') }),
  z.extend(CallbackRef, { kind: z.literal('retry'), version: z.int() }),
]);
export type CallbackMessage = z.infer<typeof CallbackMessage>;

/** The message, or `undefined` for what nobody of ours wrote. */
export function readCallbackMessage(body: string): CallbackMessage | undefined {
  try {
    const message = CallbackMessage.parse(JSON.parse(body));
    // Found out here, where the message can be parked, and not in the middle of an attempt.
    if (message.kind === 'first' && message.utm !== undefined) JSON.parse(message.utm);
    return message;
  } catch {
    return undefined;
  }
}

export function firstMessage(callback: Callback): string {
  return JSON.stringify({ kind: 'first', ...callback } satisfies CallbackMessage);
}

export function retryMessage({ partnerId, messageId, state }: CallbackRef, version: number): string {
  return JSON.stringify({ kind: 'retry', partnerId, messageId, state, version } satisfies CallbackMessage);
}
