import { type Caller, request } from './client.ts';
import { eventually } from './eventually.ts';

type Callback = { messageId: string; state: string; utm?: unknown };
type Received = { body: Callback; verified: boolean; answered: number | 'closed' };

/** Waits for `count` different callbacks about these messages, and returns those that the receiver accepted. */
export function callbacksOf(receiver: Caller, messageIds: readonly string[], { count }: { count: number }) {
  const wanted = new Set(messageIds);
  return eventually(
    `${count} callbacks`,
    async () => {
      const received = (await request(receiver, 'GET /received')).body as Received[];
      return received.filter(({ body, answered }) => wanted.has(body.messageId) && answered === 200);
    },
    { until: (received) => distinct(received).size >= count, timeoutSeconds: 60, intervalMs: 200 },
  );
}

/** The different callbacks among those received, because one may come more than once. */
export function distinct(received: readonly Received[]): Set<string> {
  return new Set(received.map(({ body }) => `${body.messageId} ${body.state}`));
}

export function allVerified(received: readonly Received[]): boolean {
  return received.every(({ verified }) => verified);
}
