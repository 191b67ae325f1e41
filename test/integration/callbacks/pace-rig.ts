import type { SQSEvent } from 'aws-lambda';
import type { CallbackMessage } from '../../../shared/callbacks/callback-message.ts';
import type { AttemptResult } from '../../../shared/platform/egress/attempt-result.ts';
import { noon } from '../../support/clock.ts';
import { callbacksRig, ok } from './callbacks-rig.ts';

export const failed: AttemptResult = { ok: false, error: 'status', httpStatus: 500, durationMs: 50 };
export const busy: AttemptResult = {
  ok: false,
  error: 'status',
  httpStatus: 429,
  retryAfter: '60',
  durationMs: 50,
};

export function ids(count: number, prefix = 'm'): string[] {
  return Array.from({ length: count }, (_, n) => `${prefix}${String(n).padStart(3, '0')}`);
}

/** Sets up an endpoint with a pace, workers that know nothing of each other, and a record of their attempts. */
export async function pacedRig(maxPerSecond: number) {
  const rig = await callbacksRig();
  const setPace = (perSecond: number | undefined) =>
    rig.saveEndpoint('https://bars.example/status', { maxPerSecond: perSecond });
  await setPace(maxPerSecond);
  let answer = (_messageId: string): AttemptResult => ok;
  const { attempts, client } = rig.partnerThat(({ messageId }) => answer(messageId));
  const paced = (change: Parameters<typeof rig.newWorker>[0] = {}) => rig.newWorker({ client, ...change });
  const callBack = async (worker: ReturnType<typeof paced>, ...groups: string[][]) => {
    for (const group of groups) await rig.changeTogether(group);
    return worker({ Records: rig.records() });
  };
  return {
    ...rig,
    setPace,
    attempts,
    times: () => attempts.map(({ atMs }) => Math.round(atMs)),
    answerWith: (next: typeof answer) => {
      answer = next;
    },
    paced,
    callBack,
    pace: async () => (await rig.endpoints.view('bars')).pace,
    waiting: (): Extract<CallbackMessage, { kind: 'first' }>[] => rig.sent(),
    /** Has a worker process messages while the clock stands still, and returns the slots of its attempts, in ms. */
    slotsOf: async (event: SQSEvent): Promise<number[]> => {
      const slots: number[] = [];
      await paced({ sleepUntil: async (atMs) => void slots.push(atMs - noon) })(event);
      return slots.toSorted((a, b) => a - b);
    },
  };
}
