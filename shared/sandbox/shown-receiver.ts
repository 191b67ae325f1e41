import * as z from 'zod/mini';
import { described, named } from '../platform/validation/documented.ts';
import { ReceiverAnswer } from './receiver.ts';
import type { ReceivedCallback, Receiver } from './receiver-store.ts';

export const ReceiverView = named('SandboxReceiver', {
  url: described(z.string(), 'What PUT /callbacks/endpoint takes as url; whoever knows it may send to it'),
  answer: z.extend(ReceiverAnswer, {}).register(z.globalRegistry, { id: 'SandboxAnswer' }),
  taken: described(z.int(), 'Callbacks that verified'),
  refused: described(z.int(), 'Requests that did not verify'),
  callbacks: described(
    z.array(
      named('ReceivedCallback', {
        receivedAt: z.iso.datetime(),
        answered: z.int(),
        delaySeconds: z.int(),
        headers: z.record(z.string(), z.string()).register(z.globalRegistry, {
          id: 'ReceivedHeaders',
          description: 'Those of Standard Webhooks and user-agent; names in lower case',
        }),
        body: described(z.string(), 'The text that is signed'),
      }),
    ),
    'The newest 100 of the last 7 days that verified, newest first',
  ),
});

/** `origin` is the stage's own, as its partner calls it: `https://api.example`. */
export function shownReceiver(
  { token, status, delaySeconds, timesLeft, taken, refused }: Receiver,
  callbacks: readonly ReceivedCallback[],
  origin: string,
): z.input<typeof ReceiverView> {
  const isOver = timesLeft === 0;
  return {
    url: `${origin}/sandbox/callbacks/${token}`,
    answer: {
      status: isOver ? 200 : (status as ReceiverAnswer['status']),
      delaySeconds: isOver ? 0 : delaySeconds,
      ...(timesLeft ? { times: timesLeft } : {}),
    },
    taken,
    refused,
    callbacks: callbacks.map(({ receivedAt, ...callback }) => ({
      ...callback,
      receivedAt: new Date(receivedAt).toISOString(),
    })),
  };
}
