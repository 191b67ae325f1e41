import type { Delivery } from '../platform/queues/queue-worker.ts';
import { inHalves } from '../platform/runtime/in-halves.ts';
import type { MessageReader } from './message-reader.ts';

/**
 * Applies `apply` to what a queue message asks of sends, by their ids. Those whose rows are damaged fail the message after
 * all others are done, and are named in its log line, with the partner of the first, and returned.
 */
export async function exceptDamagedSends<Result>(
  { work, fail }: Delivery,
  { ownerOf }: Pick<MessageReader, 'ownerOf'>,
  sendIds: Iterable<string>,
  apply: (sendIds: readonly string[]) => Promise<Result>,
): Promise<{ results: Result[]; failedSendIds: ReadonlySet<string> }> {
  const failedSendIds = new Set<string>();
  const results = await inHalves([...sendIds], apply, async (sendId, error) => {
    // A failure of nobody in particular would roll every deployment back.
    if (failedSendIds.size === 0) work.addFields({ partnerId: await ownerOf(sendId) });
    failedSendIds.add(sendId);
    work.addFields({ failedSendIds: [...failedSendIds] });
    fail(error);
  });
  return { results, failedSendIds };
}
