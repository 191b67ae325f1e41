import { sendIdOf } from '../../../shared/push/message-id.ts';
import { type ReachedState, statesIn } from '../../../shared/push/message-states.ts';
import { latestCallMs } from '../core/calls.ts';
import { maxSkewMs } from '../core/faults.ts';
import { check, entry } from '../ledger.ts';
import type { RowHistory } from '../watch-rows.ts';
import type { Actor, World } from '../world.ts';
import { type ExpectedMessage, messagesOf } from './expected-messages.ts';
import type { PushRequest } from './push-request.ts';
import { handedOverWithinMs } from './pushes.ts';
import { recordedStates } from './receipts.ts';

/** Rule 42: without faults, a message expires at most this long after its deadline. */
const endsWithinMs = 120_000;

/** A write of a state: when it was made, and the states that the message had before it. */
type Written = {
  messageId: string;
  state: string;
  before: readonly string[];
  writtenAt: number;
};

/** Returns every write that added a state to a row of states. */
function statesWritten({ histories }: World): Written[] {
  const all = [...histories('states of a message'), ...histories('states of a bulk send')];
  return all.flatMap((history) =>
    history.flatMap(({ row, atMs }, n): Written[] => {
      const before = history[n - 1]?.row;
      const earlier = before ? statesIn(before) : [];
      const isOf = (messageId: string) => (one: ReachedState) => one.messageId === messageId;
      return (row ? statesIn(row, before) : []).map(({ messageId, state }) => ({
        messageId,
        state,
        before: earlier.filter(isOf(messageId)).map((one) => one.state),
        writtenAt: atMs,
      }));
    }),
  );
}

/** Returns the sends that wait for a later deadline than that of a message that has not ended. */
function waitingTooLong(
  { histories }: World,
  expected: Iterable<ExpectedMessage>,
  written: readonly Written[],
): string[] {
  const endedAt = new Map<string, number>();
  for (const { messageId, writtenAt } of written.toReversed()) endedAt.set(messageId, writtenAt);
  const bySend = Map.groupBy(expected, ({ messageId }) => sendIdOf(messageId));
  return histories('deadline').flatMap((history) =>
    history.flatMap(({ row, atMs }) => {
      // A send that is taken back is due at once.
      if (!row || row['cancelRequestId'] !== undefined) return [];
      const messages = bySend.get(row.pk.replace('DEADLINE#', '')) ?? [];
      return messages
        .filter(({ deadline }) => deadline !== undefined && deadline < Number(row['dueAt']))
        .filter(({ messageId }) => (endedAt.get(messageId) ?? Number.POSITIVE_INFINITY) > atMs)
        .map(({ messageId, deadline }) => `${messageId}: ends at ${deadline}, not at ${row['dueAt']}`);
    }),
  );
}

/** When the first message of a send ends; undefined once messages have begun to end, or the send is being taken back. */
function firstEndOf({ row }: RowHistory[number]): number | undefined {
  if (!row || row['cancelRequestId'] !== undefined || row['partsDueAt'] !== undefined) return undefined;
  return Number(row['thenAt'] ?? row['dueAt']);
}

function isExtended(history: RowHistory): boolean {
  const ends = history.map(firstEndOf);
  return ends.some((end, n) => Number(end) > Number(ends[n - 1]));
}

/** Rule 42: a message with a deadline ends as delivered, opened or EXPIRED, and is never handed over too late. */
export function createDeadlines(world: World, requests: readonly PushRequest[]): Actor {
  const { wallet, isCalm, histories } = world;
  return {
    does: {},
    ledger: (rows) => {
      const expected = messagesOf(world, requests);
      const recorded = recordedStates(rows);
      const written = statesWritten(world);
      const ends = written.filter(({ state }) => state === 'EXPIRED');
      const timeOf = ({ messageId }: ExpectedMessage, state: string) =>
        recorded.get(`${messageId}-${state}`)?.at;
      return [
        check('rule 42: what has a deadline ends once, and nothing else does', expected.values(), (one) => {
          const end = timeOf(one, 'EXPIRED');
          if (one.deadline === undefined) return end !== undefined;
          const hasEnded = ['DELIVERED', 'OPENED', 'CANCELLED'].some(
            (state) => timeOf(one, state) !== undefined,
          );
          // States of bulk sends are recorded in whole seconds.
          return end === undefined ? !hasEnded : one.deadline - end < 0 || one.deadline - end >= 1_000;
        }),
        check('rule 42: an end comes after the deadline, and to nothing that had ended', ends, (one) => {
          const { messageId, before, writtenAt } = one;
          const { deadline, deliverFrom = 0 } = expected.get(messageId) ?? {};
          if (before.length > 0) return true;
          if (deadline === undefined) return false;
          // A send is released before it ends.
          const dueAt = Math.max(deadline, deliverFrom + handedOverWithinMs);
          return writtenAt < deadline || (isCalm && writtenAt > dueAt + endsWithinMs);
        }),
        check('rule 42: nothing late is handed over', wallet.handedOver, ({ message, atMs }) => {
          // A call may be given up before the deadline and made after it. The wallet platform checks deadlines, too.
          const slackMs = isCalm ? 0 : maxSkewMs + latestCallMs;
          return message.deadline !== undefined && atMs > message.deadline + slackMs;
        }),
        check('rule 42: no repeat makes a deadline later', histories('deadline'), isExtended),
        entry(
          'rule 42: a send waits for the first deadline of its messages, whatever repeats it',
          histories('deadline').length,
          waitingTooLong(world, expected.values(), written),
        ),
      ];
    },
  };
}
