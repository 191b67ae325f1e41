import type { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import type { Queue } from '../../shared/platform/queues/queue.ts';
import type { Clock } from '../../shared/platform/runtime/clock.ts';
import { sqsRecord } from './queue.ts';

export type ClockedQueue = Queue & {
  /** Removes what has arrived by the clock of the test, and returns it as the records of Lambda events. */
  arrived: () => SQSRecord[];
  /** The delays of all messages that were ever sent, in seconds. */
  delays: number[];
  /** The groups of all messages that were ever sent. */
  groups: (string | undefined)[];
};

/** A queue whose delays pass by the clock of the test. The engine's pass in real time. */
export function clockedQueue(clock: Clock): ClockedQueue {
  const waiting: { record: SQSRecord; atMs: number }[] = [];
  const delays: number[] = [];
  const groups: (string | undefined)[] = [];
  const send = async ({ input }: SendMessageBatchCommand) => {
    for (const { MessageBody = '', DelaySeconds = 0, MessageGroupId } of input.Entries ?? []) {
      delays.push(DelaySeconds);
      groups.push(MessageGroupId);
      waiting.push({ record: sqsRecord(MessageBody), atMs: clock.now() + DelaySeconds * 1_000 });
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
