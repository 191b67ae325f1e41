import { counted } from '../cli/formats.ts';
import type { WithReceiver } from './actors.ts';
import { callbacksOf, distinct, refusalsOf } from './callbacks-received.ts';
import { request } from './client.ts';
import { type PushScript, sendOne } from './push-act.ts';

type RecoveryScript = Pick<PushScript, 'registered' | 'endpointFailures'> & {
  /** How long to wait for the callbacks; a minute when left out. */
  timeoutSeconds?: number;
};

/** The partner's endpoint fails some times, then the callbacks arrive. */
export async function recoveryAct(actors: WithReceiver, script: RecoveryScript): Promise<void> {
  const { receiver, report } = actors;
  const { registered, endpointFailures, timeoutSeconds } = script;
  report.act('A partner whose endpoint fails gets its callbacks later');
  await request(receiver, 'POST /behave', { status: 503, times: endpointFailures });
  report.tell('receiver', `answers 503 to the next ${endpointFailures} requests`);
  const startedAt = performance.now();
  const message = {
    pushType: 'TRANSACTION',
    msisdn: registered[2],
    payload: { title: 'Заказ готов', message: 'Заберите его на кассе' },
    qos: { deliveryStatusNotifications: true },
  };
  const { messageId } = await sendOne(actors, message, 'ENQUEUED');
  const received = await callbacksOf(receiver, [messageId], { count: 2, timeoutSeconds });
  const refusals = await refusalsOf(receiver);
  const arrived = counted(distinct(received).size, 'callback');
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  report.tell('receiver', `has taken ${arrived} after ${seconds} s and ${counted(refusals, 'refusal')}`);
  report.check('callbacks taken, refusals', [distinct(received).size, refusals], [2, endpointFailures]);
  report.sum('partner that fails', `${counted(refusals, 'refusal')}, then ${arrived} after ${seconds} s`);
}
