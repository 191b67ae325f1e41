import { request, type Speaker } from './client.ts';
import { eventually } from './eventually.ts';
import type { Narrator } from './narrator.ts';
import { expectHistory, registerPhones, type Sent, sendOne } from './push-steps.ts';

type Received = { headers: Record<string, string>; body: unknown; verified: boolean };
type Callback = { messageId: string; state: string; utm?: unknown };

/** Who plays in the act: the partner and its callback receiver, the wallet. */
export type PushCast = { partner: Speaker; wallet: Speaker; receiverUrl: string };

const utm = { utmSource: 'demo', utmMiddle: 'push', utmCampaign: 'autumn', shelf: 7 };
const qos = { deliveryStatusNotifications: true };

/** Area C: single, bulk and multi; receipts of the phones; verified callbacks; a partner that fails and recovers. */
export async function pushAct(cast: PushCast, promoId: number, say: Narrator): Promise<void> {
  say.act('C. A partner sends push messages and follows them');
  await registerPhones(cast.wallet, { registered, unregistered }, say);
  await request({ baseUrl: cast.receiverUrl }, 'DELETE /received');
  await single(cast, promoId, say);
  await bulk(cast, say);
  await multi(cast, say);
}

const phone = 79_001_000_000;
const phones = Array.from({ length: 1_000 }, (_, n) => phone + n);

function isRegistered(msisdn: number) {
  return (msisdn - phone) % 10 !== 9;
}

const registered = phones.filter(isRegistered);
const unregistered = phones.filter((msisdn) => !isRegistered(msisdn));

async function receivedFor({ receiverUrl }: PushCast, messageIds: ReadonlySet<string>): Promise<Received[]> {
  const { body } = await request({ baseUrl: receiverUrl }, 'GET /received');
  return (body as Received[]).filter((received) => messageIds.has((received.body as Callback).messageId));
}

/** Different callbacks among what was received: one is allowed to come more than once. */
function distinct(received: readonly Received[]): Set<string> {
  return new Set(received.map(({ body }) => `${(body as Callback).messageId} ${(body as Callback).state}`));
}

function callbacksOf(cast: PushCast, sent: readonly Sent[], count: number): Promise<Received[]> {
  const ids = new Set(sent.map(({ messageId }) => messageId));
  return eventually(
    () => receivedFor(cast, ids),
    (received) => distinct(received).size >= count,
    { seconds: 60, pollMs: 200 },
  );
}

async function single(cast: PushCast, promoId: number, say: Narrator): Promise<void> {
  const message = {
    pushType: 'PROMO',
    msisdn: phone,
    payload: {
      title: 'Два по цене одного',
      message: 'Сегодня до 18:00, покажите карту',
      deeplink: { target: 'campaign', campaignId: promoId },
    },
    qos,
    utm,
  };
  const sent = await sendOne(cast.partner, message, 'ENQUEUED', say);

  const received = await callbacksOf(cast, [sent], 2);
  for (const { body: callback, verified } of received.slice(0, 2)) {
    say.tell('receiver', `${verified ? 'signature good' : 'SIGNATURE BAD'}: ${JSON.stringify(callback)}`);
  }
  say.expect(
    'every signature is good',
    received.every(({ verified }) => verified),
    true,
  );
  say.expect('states called back', [...distinct(received)].sort(), [
    `${sent.messageId} DELIVERED`,
    `${sent.messageId} OPENED`,
  ]);
  say.expect('utm as given', received.map(({ body: callback }) => (callback as Callback).utm)[0], utm);

  await expectHistory(cast.partner, sent.messageId, ['ENQUEUED', 'DELIVERED', 'OPENED'], say);
}

async function bulk(cast: PushCast, say: Narrator): Promise<void> {
  const startedAt = performance.now();
  const { body, status } = await request(cast.partner, 'POST /push/bulk/single', {
    pushType: 'SERVICE',
    msisdn: phones,
    payload: { title: 'Мы переехали', message: 'Ждём вас на Тверской, дом 7 👋' },
    qos,
  });
  const sent = body as Sent[];
  const respondedMs = Math.round(performance.now() - startedAt);
  const enqueued = sent.filter(({ state }) => state === 'ENQUEUED');
  say.tell(
    'partner',
    `sends one message to 1,000 numbers: ${status} in ${respondedMs} ms, ${enqueued.length} ENQUEUED`,
  );
  say.expect('bulk', [status, sent.length, enqueued.length], [200, 1_000, 900]);

  const received = await callbacksOf(cast, enqueued, 1_800);
  const ms = Math.round(performance.now() - startedAt);
  const count = distinct(received).size;
  say.tell('receiver', `${count} callbacks after ${ms} ms, ${received.length - count} of them came again`);
  say.expect('bulk callbacks', [count, received.every(({ verified }) => verified)], [1_800, true]);
  say.sum(
    'bulk to 1,000',
    `answered in ${respondedMs} ms, 1,800 verified callbacks after ${(ms / 1_000).toFixed(1)} s`,
  );
}

async function multi(cast: PushCast, say: Narrator): Promise<void> {
  const messages = [phones[1], phones[9]].map((msisdn, n) => ({
    pushType: 'TRANSACTION',
    msisdn,
    payload: { title: `Чек № ${n + 1}`, message: 'Спасибо за покупку' },
  }));
  const { body } = await request(cast.partner, 'POST /push/bulk/multi', messages);
  const states = (body as Sent[]).map(({ state }) => state);
  say.tell('partner', `sends two messages of their own: ${states.join(', ')}`);
  say.expect('multi', states, ['ENQUEUED', 'MSISDN_NOT_REGISTERED']);
}

/** The partner's endpoint fails `failures` times, then the callback arrives. */
export async function recoveryAct(cast: PushCast, failures: number, say: Narrator): Promise<void> {
  say.act('E. A partner whose endpoint fails hears of it all the same');
  await request({ baseUrl: cast.receiverUrl }, 'POST /behave', { status: 503, times: failures });
  say.tell('receiver', `answers 503 to the next ${failures} requests`);
  const startedAt = performance.now();
  const message = {
    pushType: 'TRANSACTION',
    msisdn: phone + 2,
    payload: { title: 'Заказ готов', message: 'Заберите его на кассе' },
    qos,
  };
  const sent = await sendOne(cast.partner, message, 'ENQUEUED', say);
  const received = await callbacksOf(cast, [sent], 2);
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  say.tell('receiver', `has both states after ${seconds} s, ${failures} refusals later`);
  say.expect('recovered', distinct(received).size, 2);
  say.sum('partner that fails', `${failures} refusals, both callbacks after ${seconds} s`);
}
