import type { Actors } from './actors.ts';
import { callbacksOf, distinct } from './callbacks-received.ts';
import { request } from './client.ts';
import { type PushScript, sendOne } from './push-act.ts';
import type { Reporter } from './reporter.ts';

/** The partner's endpoint fails some times, then the callbacks arrive. */
export async function recoveryAct(
  { partner, receiver }: Required<Pick<Actors, 'partner' | 'receiver'>>,
  { registered, endpointFailures }: PushScript,
  report: Reporter,
): Promise<void> {
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
  const { messageId } = await sendOne(partner, message, 'ENQUEUED', report);
  const received = await callbacksOf(receiver, [messageId], 2);
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  report.tell('receiver', `has both states after ${seconds} s, ${endpointFailures} refusals later`);
  report.check('recovered', distinct(received).size, 2);
  report.sum('partner that fails', `${endpointFailures} refusals, both callbacks after ${seconds} s`);
}
