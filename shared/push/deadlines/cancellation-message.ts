import * as z from 'zod/mini';
import type { Message } from '../../platform/queues/queue.ts';
import { inGroups } from '../../platform/runtime/in-groups.ts';
import { described } from '../../platform/validation/documented.ts';

/** 1,000 ids are 39 kB, so the ten messages of 10,000 fit into one batch of SQS. */
const idsPerMessage = 1_000;

/** A request to the wallet platform to take messages back. Delivered at least once, and maybe before the messages. */
export const CancellationMessage = z
  .object({
    partnerId: z.string(),
    requestId: described(
      z.optional(z.string()),
      'Names the request of the partner in the logs of both sides',
    ),
    messageIds: z.array(z.uuid()).check(z.minLength(1), z.maxLength(idsPerMessage)),
  })
  .register(z.globalRegistry, {
    id: 'CancellationMessage',
    title: 'push-cancellations',
    description: 'One message of the queue push-cancellations.',
  });
export type CancellationMessage = z.infer<typeof CancellationMessage>;

/** The messages of the queue that ask these messages back. */
export function cancellationsOf({ messageIds, ...of }: CancellationMessage): Message[] {
  return inGroups(messageIds, idsPerMessage).map((some) => ({
    group: of.partnerId,
    body: JSON.stringify({ ...of, messageIds: some } satisfies CancellationMessage),
  }));
}
