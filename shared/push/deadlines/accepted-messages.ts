import { messageIdOf } from '../message-id.ts';
import type { BulkSend, SingleSend } from '../message-rows.ts';
import type { MessageStore, StoredMessage } from '../message-store.ts';

/** The messages of sends, the single ones together and those of a bulk send part by part. An erased one is not registered. */
export async function* acceptedMessages(
  { partsOf }: Pick<MessageStore, 'partsOf'>,
  sends: readonly (SingleSend | BulkSend)[],
): AsyncGenerator<StoredMessage[]> {
  yield sends.flatMap((send) => ('bulkId' in send ? [] : [send]));
  for (const send of sends) {
    if (!('bulkId' in send)) continue;
    for await (const { recipients, contents, from } of partsOf(send))
      yield recipients.flatMap((recipient, n) => {
        const content = send.content ?? contents[n];
        const messageId = messageIdOf(send.bulkId, from + n);
        return content ? [{ ...send, ...recipient, content, messageId }] : [];
      });
  }
}
