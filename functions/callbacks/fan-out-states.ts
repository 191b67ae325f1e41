import type { Callback } from '../../shared/callbacks/callback.ts';
import { firstMessage } from '../../shared/callbacks/callback-message.ts';
import { changedStates } from '../../shared/callbacks/changed-states.ts';
import type { Message } from '../../shared/queues/send-all.ts';
import {
  type Change,
  type StreamDeps,
  streamToQueue,
  UnreadableRow,
} from '../../shared/queues/stream-to-queue.ts';

/**
 * Follows the stream of state rows: each new state becomes one message of the callbacks queue, in the partner's
 * message group, so that SQS serves partners fairly.
 */
export function fanOutStates(deps: StreamDeps) {
  return streamToQueue(
    'FanOutStates',
    deps,
    async (change: Change): Promise<Message[]> =>
      callbacksOf(change).map((callback) => ({
        id: callback.state,
        body: firstMessage(callback, change.changedAtMs),
        group: callback.partnerId,
      })),
  );
}

function callbacksOf({ row, before }: Change): Callback[] {
  try {
    return changedStates(row, before);
  } catch {
    throw new UnreadableRow('not a state row that can be told to a partner');
  }
}
