import * as z from 'zod/mini';
import { days, epochSeconds } from '../runtime/clock.ts';
import { updateIf } from '../table/condition.ts';
import { messageStateKey } from '../table/keys.ts';
import { readRow } from '../table/rows.ts';
import { marked, streamMarkers } from '../table/stream-markers.ts';
import type { Table } from '../table/table.ts';
import type { ReceiptState } from './history.ts';
import type { StoredMessage } from './message-store.ts';
import { wantsCallbacks } from './push-content.ts';

const keptMs = days(30);

const Row = z.object({ deliveredAt: z.optional(z.number()), openedAt: z.optional(z.number()) });

const attributeOf: Record<ReceiptState, 'deliveredAt' | 'openedAt'> = {
  DELIVERED: 'deliveredAt',
  OPENED: 'openedAt',
};

/** The states that the wallet platform reported of a message, in one row. */
export function deliveryStateStore(table: Table) {
  return {
    find: async (messageId: string): Promise<z.infer<typeof Row>> => {
      const item = await readRow(table, messageStateKey(messageId));
      return Row.parse(item ?? {});
    },

    /** Records a state and its time; false when it is recorded already, and the first time stays. */
    record: async (message: StoredMessage, state: ReceiptState, atMs: number): Promise<boolean> => {
      const { messageId, partnerId, msisdn, content, acceptedAt, requestId } = message;
      const callBack = wantsCallbacks(content);
      const recorded = await updateIf(table, {
        Key: messageStateKey(messageId),
        UpdateExpression:
          'SET #state = :at, messageId = :messageId, partnerId = :partnerId, msisdn = :msisdn, expiresAt = :expiresAt' +
          (requestId ? ', requestId = :requestId' : '') +
          (callBack ? ', #marker = :marked' : '') +
          (callBack && content.utm ? ', utm = :utm' : ''),
        ConditionExpression: 'attribute_not_exists(#state)',
        ExpressionAttributeNames: {
          '#state': attributeOf[state],
          ...(callBack ? { '#marker': streamMarkers.callBack } : {}),
        },
        ExpressionAttributeValues: {
          ':at': atMs,
          ':messageId': messageId,
          ':partnerId': partnerId,
          ':msisdn': msisdn,
          ':expiresAt': epochSeconds(acceptedAt + keptMs),
          ...(requestId ? { ':requestId': requestId } : {}),
          ...(callBack ? { ':marked': marked } : {}),
          ...(callBack && content.utm ? { ':utm': JSON.stringify(content.utm) } : {}),
        },
      });
      return recorded.applied;
    },
  };
}

export type DeliveryStateStore = ReturnType<typeof deliveryStateStore>;
