import { type Caller, request } from './client.ts';
import { eventually } from './eventually.ts';

type Callback = { messageId: string; state: string; utm?: unknown };
type Received = { body: Callback; verified: boolean; answered: number | 'closed' };

/** What the partner's receiver has taken about these messages, once it has `count` different callbacks. */
export function callbacksOf(
  receiver: Caller,
  messageIds: readonly string[],
  { count, timeoutSeconds = 60 }: { count: number; timeoutSeconds?: number | undefined },
): Promise<Received[]> {
  const wanted = new Set(messageIds);
  return eventually(
    async () =>
      (await attemptsAt(receiver)).filter(
        ({ body, answered }) => wanted.has(body.messageId) && answered === 200,
      ),
    (received) => distinct(received).size >= count,
    { timeoutSeconds, intervalMs: 200 },
  );
}

/** How many attempts the receiver has refused since it was cleared. */
export async function refusalsOf(receiver: Caller): Promise<number> {
  return (await attemptsAt(receiver)).filter(({ answered }) => answered !== 200).length;
}

async function attemptsAt(receiver: Caller): Promise<Received[]> {
  const { body } = await request(receiver, 'GET /received');
  return body as Received[];
}

/** Different callbacks among those received: one may come more than once. */
export function distinct(received: readonly Received[]): Set<string> {
  return new Set(received.map(({ body }) => `${body.messageId} ${body.state}`));
}
