import type { SendMessageBatchCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import type { Queue } from '../../shared/platform/queues/queue.ts';
import type { Clock } from '../../shared/platform/runtime/clock.ts';
import { sqsRecord } from './queue.ts';

export type ClockedQueue = Queue & {
  /** Removes what has arrived by the clock of the test, and returns it as the records of Lambda events. */
  arrived: () => SQSRecord[];
  /** The delays of all messages that were ever sent with one, in seconds. */
  delays: number[];
  /** The groups of all messages that were ever sent. */
  groups: (string | undefined)[];
};

/**
 * A standard queue whose delays pass by the clock of the test, or at once if it is not `delaying`. The engine's pass in
 * real time. What a queue refuses, and what it takes only in part, is for `test/integration/queues/send-all.test.ts`.
 */
export function clockedQueue(clock: Clock, { delaying = true } = {}): ClockedQueue {
  const waiting: { record: SQSRecord; atMs: number }[] = [];
  const delays: number[] = [];
  const groups: (string | undefined)[] = [];
  const send = async ({ input }: SendMessageCommand | SendMessageBatchCommand) => {
    const sent = 'MessageBody' in input ? [input] : (input.Entries ?? []);
    for (const { MessageBody = '', DelaySeconds, MessageGroupId } of sent) {
      if (DelaySeconds !== undefined) delays.push(DelaySeconds);
      groups.push(MessageGroupId);
      const delayMs = delaying ? (DelaySeconds ?? 0) * 1_000 : 0;
      waiting.push({ record: sqsRecord(MessageBody), atMs: clock.now() + delayMs });
    }
    return {};
  };
  const arrived = () => {
    const now: typeof waiting = [];
    const later: typeof waiting = [];
    for (const one of waiting.splice(0)) (one.atMs <= clock.now() ? now : later).push(one);
    waiting.push(...later);
    return now.map(({ record }) => record);
  };
  return { client: { send } as unknown as Queue['client'], url: 'clocked', arrived, delays, groups };
}
