import { type Caller, request } from './client.ts';
import { eventually } from './eventually.ts';

type Callback = { messageId: string; state: string; utm?: unknown };
export type Received = { headers: Record<string, string>; body: Callback; verified: boolean };

export async function clearReceived(receiver: Caller): Promise<void> {
  await request(receiver, 'DELETE /received');
}

/** What the partner's receiver has got about these messages, once it has `count` different callbacks. */
export function callbacksOf(
  receiver: Caller,
  messageIds: readonly string[],
  count: number,
): Promise<Received[]> {
  const wanted = new Set(messageIds);
  return eventually(
    async () => {
      const { body } = await request(receiver, 'GET /received');
      return (body as Received[]).filter((received) => wanted.has(received.body.messageId));
    },
    (received) => distinct(received).size >= count,
    { timeoutSeconds: 60, intervalMs: 200 },
  );
}

/** Different callbacks among those received: one may come more than once. */
export function distinct(received: readonly Received[]): Set<string> {
  return new Set(received.map(({ body }) => `${body.messageId} ${body.state}`));
}
