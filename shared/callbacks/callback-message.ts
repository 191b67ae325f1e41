import * as z from 'zod/mini';
import { Callback, CallbackRef } from './callback.ts';

/**
 * A message of the callbacks queue. `first` contains the callback itself, and when its state was recorded (ms; absent
 * in messages of earlier versions); it has no row. `retry` names a row and
 * its version when the message was sent: if the row has a newer version, the message is void.
 */
export const CallbackMessage = z.discriminatedUnion('kind', [
  z.extend(Callback, { kind: z.literal('first'), recordedAt: z.optional(z.int()) }),
  z.extend(CallbackRef, { kind: z.literal('retry'), version: z.int() }),
]);
export type CallbackMessage = z.infer<typeof CallbackMessage>;

/** The message, or `undefined` for a body that our functions did not write. */
export function readCallbackMessage(body: string): CallbackMessage | undefined {
  try {
    const message = CallbackMessage.parse(JSON.parse(body));
    // Checked here, where the message can be parked, and not during an attempt.
    if (message.kind === 'first' && message.utm !== undefined) JSON.parse(message.utm);
    return message;
  } catch {
    return undefined;
  }
}

export function firstMessage(callback: Callback, recordedAt?: number): string {
  return JSON.stringify({ kind: 'first', ...callback, recordedAt } satisfies CallbackMessage);
}

export function retryMessage({ partnerId, messageId, state }: CallbackRef, version: number): string {
  return JSON.stringify({ kind: 'retry', partnerId, messageId, state, version } satisfies CallbackMessage);
}
