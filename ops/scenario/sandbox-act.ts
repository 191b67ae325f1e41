import { setTimeout as delay } from 'node:timers/promises';
import { interruptible } from '../cli/interruptible.ts';
import type { Actors } from './actors.ts';
import { request } from './client.ts';
import { eventually } from './eventually.ts';
import { checkHistory, type Sent, sendOne } from './push-act.ts';

/** Two numbers that the partner adds as phones of its own. */
export type OwnPhones = readonly [number, number];

type Endpoint = { mode: 'post' | 'feed'; url?: string | undefined; status: string; basicLogin?: string };
type Receiver = { url: string; callbacks: { answered: number; headers: Record<string, string> }[] };
type Phone = { messages: { messageId: string; state: string }[] };

/** A changed address is in effect after 5 s. */
const takesEffectMs = 5_500;

/** Plays what a partner can do with only its key if the wallet is simulated: from a phone to its callbacks. */
export async function sandboxAct(actors: Actors, phones: OwnPhones): Promise<void> {
  const { partner, report, callbackBasic } = actors;
  report.act('A partner tries it all with phones and a receiver of its own');
  const reply = await request(partner, 'GET /callbacks/endpoint');
  const before = reply.status === 200 ? (reply.body as Endpoint) : undefined;
  const hasBasic = before?.basicLogin !== undefined;
  if (!callbackBasic)
    report.check('the endpoint has no password that could not be restored', hasBasic, false);
  const set = (to: Pick<Endpoint, 'mode' | 'url'>, basic: typeof callbackBasic | null) =>
    request(partner, 'PUT /callbacks/endpoint', hasBasic ? { ...to, basic } : to);
  const setBack = async () => {
    if (!before) return;
    const { mode, url } = before;
    await report.attempt(async () => {
      await report.checkReply('the endpoint is set back', set({ mode, url }, callbackBasic));
      if (before.status !== 'ENABLED')
        await report.send('and disabled', partner, 'POST /callbacks/endpoint/disable');
    });
  };
  const { url } = await setReceiver(actors, { status: 200 });
  const work = async () => {
    const { status } = await report.checkReply<Endpoint>(
      'it is the callback endpoint',
      set({ mode: 'post', url }, null),
    );
    if (status !== 'ENABLED') await report.send('enabled', partner, 'POST /callbacks/endpoint/enable');
    for (const msisdn of phones) {
      const { body } = await request(partner, `PUT /sandbox/phones/${msisdn}`);
      report.check('phone added', body, { msisdn, registered: true });
    }
    await delay(takesEffectMs);
    report.tell('partner', `adds ${phones.length} phones, and waits until the receiver is in effect`);
    await deliverAndOpen(actors, phones[0]);
    await recover(actors, phones[1]);
  };
  await interruptible(setBack, () => work().finally(setBack));
}

function setReceiver({ partner, report }: Actors, answer: object): Promise<Receiver> {
  report.tell('receiver', `answers ${JSON.stringify(answer)}`);
  return report.send<Receiver>('receiver set', partner, 'PUT /sandbox/callbacks', answer);
}

async function deliverAndOpen(actors: Actors, msisdn: number): Promise<void> {
  const { partner, report, polling } = actors;
  const { messageId } = await send(actors, msisdn);
  const shown = async () => {
    const { body } = await request(partner, `GET /sandbox/phones/${msisdn}`);
    return (body as Phone).messages.find((message) => message.messageId === messageId)?.state;
  };
  const state = await eventually('the phone shows the message', shown, polling);
  report.check('the phone shows the message', state, 'DELIVERED');
  report.check('called back', await answersTo(actors, `${messageId}-DELIVERED`), [200]);

  await report.send('opened by hand', partner, `POST /sandbox/phones/${msisdn}/messages/${messageId}/open`);
  report.check('called back again', await answersTo(actors, `${messageId}-OPENED`), [200]);
  report.tell('receiver', 'has taken two callbacks that verify');
  await checkHistory(actors, messageId, ['ENQUEUED', 'DELIVERED', 'OPENED']);
}

/** Lets the receiver fail once, and checks that the callback comes again. */
async function recover(actors: Actors, msisdn: number): Promise<void> {
  const { report } = actors;
  await setReceiver(actors, { status: 503, times: 1 });
  const { messageId } = await send(actors, msisdn);
  const answers = await answersTo(actors, `${messageId}-DELIVERED`, 2);
  report.check('refused once, then taken', answers, [503, 200]);
  report.tell('receiver', `has answered ${answers.join(', then ')}`);
}

function send(actors: Actors, msisdn: number): Promise<Sent> {
  const message = {
    pushType: 'SERVICE',
    msisdn,
    payload: { title: 'Smoke test', message: 'On a phone of our own' },
    qos: { deliveryStatusNotifications: true },
  };
  return sendOne(actors, message, 'ENQUEUED');
}

/** Waits for `count` attempts of this callback, and returns the statuses that the receiver responded, oldest first. */
async function answersTo(actors: Actors, webhookId: string, count = 1): Promise<number[]> {
  const { partner, polling } = actors;
  const ask = async () => {
    const { body } = await request(partner, 'GET /sandbox/callbacks');
    const all = (body as Receiver).callbacks.toReversed();
    return all.flatMap(({ answered, headers }) => (headers['webhook-id'] === webhookId ? [answered] : []));
  };
  const until = (answers: number[]) => answers.length >= count;
  return eventually(`${count} attempts of ${webhookId}`, ask, { until, ...polling });
}
