import { counted } from '../cli/formats.ts';
import type { Actors, WithReceiver } from './actors.ts';
import { allVerified, callbacksOf, distinct } from './callbacks-received.ts';
import { request } from './client.ts';

/** Phone numbers. The first of each list get single messages. */
export type Phones = { registered: readonly number[]; unregistered: readonly number[] };

export type PushScript = Phones & {
  /** Makes a message about the promotion. */
  message: (promoId: number) => { pushType: string; utm?: unknown } & Record<string, unknown>;
};

export type Sent = { msisdn: number; messageId: string; state: string };

/** Sends single messages and reads their history; with a receiver, also checks callbacks and bulk sends. */
export async function pushAct(actors: Actors, script: PushScript & { promoId: number }): Promise<void> {
  const { receiver, report } = actors;
  const { registered, unregistered, promoId } = script;
  report.act('A partner sends push messages and follows them');
  await registerPhones(actors, { registered, unregistered });
  if (receiver) await request(receiver, 'DELETE /received');

  const message = script.message(promoId);
  const sent = await sendOne(actors, { ...message, msisdn: registered[0] }, 'ENQUEUED');
  if (receiver) await checkCallbacks({ ...actors, receiver }, sent.messageId, message.utm);
  const states = receiver ? ['ENQUEUED', 'DELIVERED', 'OPENED'] : ['ENQUEUED'];
  await checkHistory(actors, sent.messageId, states);

  const unknown = { ...message, msisdn: unregistered[0] };
  const unsent = await sendOne(actors, unknown, 'MSISDN_NOT_REGISTERED');
  await checkHistory(actors, unsent.messageId, ['MSISDN_NOT_REGISTERED']);

  if (receiver) {
    await sendBulk({ ...actors, receiver }, script);
    await sendMulti(actors, script);
  }
}

/** Registers and unregisters phones, as the wallet platform does; nothing without its caller. */
export async function registerPhones({ wallet, report }: Actors, phones: Phones): Promise<void> {
  if (!wallet) return;
  const { registered, unregistered } = phones;
  const stored = await report.send('phones reported', wallet, 'PUT /wallet/recipients', phones);
  report.tell('wallet', `says who has the wallet: ${JSON.stringify(stored)}`);
  const expected = { registered: registered.length, unregistered: unregistered.length };
  report.check('phones stored', stored, expected);
}

/** Sends one message, which must be accepted with this state. */
export async function sendOne({ partner, report }: Actors, message: object, state: string): Promise<Sent> {
  const reply = await request(partner, 'POST /push/delivery', message);
  const sent = await report.checkReply<Sent>('message sent', reply);
  report.tell('partner', `sends one message: ${sent.state}, ${reply.headers.get('ratelimit')}`);
  report.check('its state', sent.state, state);
  return sent;
}

type History = { states: { state: string; time: string }[] };

/** Checks the first states of a message's history. Later states depend on the phone's owner. */
export async function checkHistory(actors: Actors, messageId: string, expected: string[]): Promise<void> {
  const { partner, report } = actors;
  const route = `GET /push/${messageId}/transactional-state`;
  const { states } = await report.send<History>('history requested', partner, route);
  const line = states.map(({ state, time }) => `${state} ${time}`).join(', ');
  report.tell('partner', `asks for the history: ${line}`);
  const first = states.slice(0, expected.length).map(({ state }) => state);
  report.check('its history', first, expected);
}

async function checkCallbacks(actors: WithReceiver, messageId: string, utm: unknown): Promise<void> {
  const { receiver, report } = actors;
  const received = await callbacksOf(receiver, [messageId], { count: 2 });
  for (const { body, verified } of received.slice(0, 2)) {
    report.tell('receiver', `${verified ? 'signature good' : 'SIGNATURE BAD'}: ${JSON.stringify(body)}`);
  }
  report.check('every signature is good', allVerified(received), true);
  const states = [`${messageId} DELIVERED`, `${messageId} OPENED`];
  report.check('states called back', [...distinct(received)].sort(), states);
  report.check('utm as given', received[0]?.body.utm, utm);
}

async function sendBulk(actors: WithReceiver, { registered, unregistered }: PushScript): Promise<void> {
  const { partner, receiver, report } = actors;
  const phones = [...registered, ...unregistered];
  const sent = await report.send<Sent[]>('bulk accepted', partner, 'POST /push/bulk/single', {
    pushType: 'SERVICE',
    msisdn: phones,
    payload: { title: 'Мы переехали', message: 'Ждём вас на Тверской, дом 7 👋' },
    qos: { deliveryStatusNotifications: true },
  });
  const enqueued = sent.filter(({ state }) => state === 'ENQUEUED').map(({ messageId }) => messageId);
  report.check('bulk', [sent.length, enqueued.length], [phones.length, registered.length]);
  const outcome = `${enqueued.length} ENQUEUED`;
  report.tell('partner', `sends one message to ${counted(phones.length, 'number')}: ${outcome}`);

  const received = await callbacksOf(receiver, enqueued, { count: 2 * registered.length });
  const count = distinct(received).size;
  const again = received.length - count;
  report.tell('receiver', `${counted(count, 'callback')}, ${again} of them came again`);
  report.check('bulk callbacks', [count, allVerified(received)], [2 * registered.length, true]);
}

async function sendMulti({ partner, report }: Actors, { registered, unregistered }: PushScript) {
  const messages = [registered[1], unregistered[0]].map((msisdn, n) => ({
    pushType: 'TRANSACTION',
    msisdn,
    payload: { title: `Чек № ${n + 1}`, message: 'Спасибо за покупку' },
  }));
  const sent = await report.send<Sent[]>('multi accepted', partner, 'POST /push/bulk/multi', messages);
  const states = sent.map(({ state }) => state);
  report.check('multi', states, ['ENQUEUED', 'MSISDN_NOT_REGISTERED']);
  report.tell('partner', `sends two messages of their own: ${states.join(', ')}`);
}
