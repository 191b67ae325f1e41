import type { NewEvent, Occasion } from '../../events/event.ts';
import { eventWrite } from '../../events/event-store.ts';
import { bulkKey, deadlineKey, deadlineShardOf } from '../../platform/table/row-keys/push.ts';
import { updateExpression, updateIf } from '../../platform/table/rows.ts';
import { marked, streamMarkers } from '../../platform/table/stream-markers.ts';
import type { Table } from '../../platform/table/table.ts';
import { changeRow, type Transacted, transactional } from '../../platform/table/transactional.ts';
import { stateUpdate } from '../delivery-state-store.ts';
import { bulkMessageId, isSingle, sendIdOf, sendKey } from '../message-id.ts';
import { type BulkSend, parseSend, type Send, type StoredMessage } from '../message-rows.ts';
import { rowsExpireAt } from '../retention.ts';

/** What a conditional write of a send's row has found: `undefined` if the send is gone. */
export type Decided = { applied: true } | { applied: false; send: Send | undefined };

/** `by` is the key of who asked; it is absent where a worker cancels for a disabled partner. */
type Cancelling = Occasion & { requestId: string };

const isWaiting =
  'attribute_exists(deliverFrom) AND attribute_not_exists(releasedAt) AND attribute_not_exists(cancelledAt)';

/**
 * The fate of sends. A scheduled send is released or cancelled, never both: the first write of its row decides, because
 * each has the condition that the other was not made. Of all rows of a send only these writes change that one.
 */
export function releaseStore(table: Table) {
  return {
    /** Releases a scheduled send: the stream hands its messages over, because the marker appears. */
    release: async (sendId: string, nowMs: number): Promise<Decided> => {
      const written = await updateIf(table, {
        Key: sendKey(sendId),
        ...updateExpression({ set: { releasedAt: nowMs, [streamMarkers.dispatch]: marked } }),
        ConditionExpression: isWaiting,
      });
      return written.applied ? { applied: true } : { applied: false, send: sendIn(written.row) };
    },

    /**
     * Takes a bulk send back, once: it is not released any more. In the same transaction it becomes due, so that a worker
     * does the rest: it cancels the messages, or asks them back if they were handed over.
     */
    cancelSend: async (send: BulkSend, { requestId, atMs, by }: Cancelling): Promise<Decided> => {
      const { bulkId, partnerId, acceptedAt } = send;
      const due = {
        partnerId,
        acceptedAt,
        dueShard: deadlineShardOf(bulkId),
        dueAt: atMs,
        expiresAt: rowsExpireAt(send),
        cancelRequestId: requestId,
      };
      const written = await transactional(table, [
        changeRow(table, bulkKey(bulkId), {
          ...updateExpression({ set: { cancelledAt: atMs } }),
          ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(cancelledAt)',
        }),
        changeRow(table, deadlineKey(bulkId), updateExpression({ set: due })),
        cancelledEvent(table, partnerId, {
          atMs,
          by,
          data: { messageId: bulkMessageId(bulkId, 0), of: 'send' },
        }),
      ]);
      return decidedBy(written);
    },

    /**
     * Cancels a message before its release: its state, and a mark on its send, in one transaction. A single message is a
     * send of its own, which is then not released; of a bulk send the dispatcher leaves out what has the state.
     */
    cancelMessage: async (message: StoredMessage, { atMs, by }: Occasion): Promise<Decided> => {
      const { partnerId, messageId, deliverFrom = atMs } = message;
      // A release comes seconds after its time. So a history whose times are whole seconds tells which was first.
      const cancelledAt = isSingle(messageId) ? atMs : Math.min(atMs, deliverFrom);
      const { names, update } = stateUpdate([{ message, state: 'CANCELLED', atMs: cancelledAt }]);
      const { Key, ...change } = update;
      const mark = updateExpression({
        set: isSingle(messageId) ? { cancelledAt: atMs } : { someCancelled: true },
      });
      const written = await transactional(table, [
        changeRow(table, sendKey(sendIdOf(messageId)), { ...mark, ConditionExpression: isWaiting }),
        changeRow(table, Key, { ...change, ConditionExpression: `attribute_not_exists(${names[0]})` }),
        cancelledEvent(table, partnerId, { atMs, by, data: { messageId, of: 'message' } }),
      ]);
      // A message that has the state was taken back before, and had its event then.
      return !written.applied && written.at === 1 ? { applied: true } : decidedBy(written);
    },
  };
}

function cancelledEvent(table: Table, partnerId: string, event: Omit<NewEvent, 'kind'>) {
  return eventWrite(table, partnerId, { kind: 'send.cancelled', ...event });
}

function sendIn(row: Record<string, unknown> | undefined): Send | undefined {
  return row && parseSend(row);
}

function decidedBy(written: Transacted): Decided {
  return written.applied ? written : { applied: false, send: sendIn(written.existing) };
}

export type ReleaseStore = ReturnType<typeof releaseStore>;
