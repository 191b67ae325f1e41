import { partnerOfFailure } from '../platform/logging/partner-of-failure.ts';
import type { Delivery } from '../platform/queues/queue-worker.ts';
import { inHalves } from '../platform/runtime/in-halves.ts';
import type { MessageReader } from './message-reader.ts';

/**
 * Applies `apply` to what a queue message asks of sends, by their ids. Those whose rows are damaged fail the message after
 * all others are done, and are named in its log line, and returned.
 */
export async function exceptDamagedSends<Result>(
  { work, fail }: Delivery,
  { ownerOf }: Pick<MessageReader, 'ownerOf'>,
  sendIds: Iterable<string>,
  apply: (sendIds: readonly string[]) => Promise<Result>,
): Promise<{ results: Result[]; failedSendIds: ReadonlySet<string> }> {
  const failedSendIds = new Set<string>();
  const owners = new Set<string | undefined>();
  const results = await inHalves([...sendIds], apply, async (sendId, error) => {
    failedSendIds.add(sendId);
    owners.add(await ownerOf(sendId).catch(() => undefined));
    work.addFields({ failedSendIds: [...failedSendIds], partnerId: partnerOfFailure(owners) });
    fail(error);
  });
  return { results, failedSendIds };
}
