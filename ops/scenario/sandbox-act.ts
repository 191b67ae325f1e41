import { setTimeout as delay } from 'node:timers/promises';
import type { Actors } from './actors.ts';
import { request } from './client.ts';
import { eventually, type Polling } from './eventually.ts';
import { checkHistory, type Sent, sendOne } from './push-act.ts';

export type SandboxScript = {
  /** Two numbers that the partner adds as phones of its own. */
  phones: readonly [number, number];
  polling: Polling;
};

type Endpoint = { url: string; status: string };
type Receiver = { url: string; callbacks: { answered: number; headers: Record<string, string> }[] };
type Phone = { messages: { messageId: string; state: string }[] };

/** A changed address is in effect after 5 s. */
const takesEffectMs = 5_500;

/** Plays what a partner can do with only its key if the wallet is simulated: from a phone to its callbacks. */
export async function sandboxAct(actors: Actors, script: SandboxScript): Promise<void> {
  const { partner, report } = actors;
  report.act('A partner tries it all with phones and a receiver of its own');
  const before = await request(partner, 'GET /callbacks/endpoint');
  const { url } = await setReceiver(actors, { status: 200 });
  await setEndpoint(actors, url);
  try {
    await addPhones(actors, script);
    await delay(takesEffectMs);
    await deliverAndOpen(actors, script);
    await recover(actors, script);
  } finally {
    if (before.status === 200)
      await request(partner, 'PUT /callbacks/endpoint', { url: (before.body as Endpoint).url });
  }
}

async function setReceiver({ partner, report }: Actors, answer: object): Promise<Receiver> {
  const set = request(partner, 'PUT /sandbox/callbacks', answer);
  const receiver = await report.checkReply<Receiver>('receiver set', set);
  report.tell('receiver', `answers ${JSON.stringify(answer)}`);
  return receiver;
}

async function setEndpoint({ partner, report }: Actors, url: string): Promise<void> {
  const set = request(partner, 'PUT /callbacks/endpoint', { url });
  const { status } = await report.checkReply<Endpoint>('it is the callback endpoint', set);
  if (status !== 'ENABLED')
    await report.checkReply('enabled', request(partner, 'POST /callbacks/endpoint/enable'));
}

async function addPhones({ partner, report }: Actors, { phones }: SandboxScript): Promise<void> {
  for (const msisdn of phones) {
    const added = request(partner, `PUT /sandbox/phones/${msisdn}`);
    report.check('phone added', (await added).body, { msisdn, registered: true });
  }
  report.tell('partner', `adds ${phones.length} phones`);
}

/** Removes the phones, also those of an interrupted run. */
export async function removePhones({ partner, report }: Actors, { phones }: SandboxScript): Promise<void> {
  for (const msisdn of phones)
    await report.checkReply('phone removed', request(partner, `DELETE /sandbox/phones/${msisdn}`));
}

async function deliverAndOpen(actors: Actors, script: SandboxScript): Promise<void> {
  const { partner, report } = actors;
  const [msisdn] = script.phones;
  const { messageId } = await send(actors, msisdn);
  const shown = async () => {
    const { body } = await request(partner, `GET /sandbox/phones/${msisdn}`);
    return (body as Phone).messages.find((message) => message.messageId === messageId)?.state;
  };
  const state = await eventually('the phone shows the message', shown, script.polling);
  report.check('the phone shows the message', state, 'DELIVERED');
  report.check('called back', await answersTo(actors, `${messageId}-DELIVERED`, script), [200]);

  const open = request(partner, `POST /sandbox/phones/${msisdn}/messages/${messageId}/open`);
  await report.checkReply('opened by hand', open);
  report.check('called back again', await answersTo(actors, `${messageId}-OPENED`, script), [200]);
  const states = ['ENQUEUED', 'DELIVERED', 'OPENED'];
  await checkHistory(actors, messageId, states);
  report.tell('receiver', 'has taken two callbacks that verify');
  report.sum('phone of its own', `${states.join(', ')}, and two verified callbacks`);
}

/** Lets the receiver fail once, and checks that the callback comes again. */
async function recover(actors: Actors, script: SandboxScript): Promise<void> {
  const { report } = actors;
  await setReceiver(actors, { status: 503, times: 1 });
  const { messageId } = await send(actors, script.phones[1]);
  const answers = await answersTo(actors, `${messageId}-DELIVERED`, script, 2);
  report.check('refused once, then taken', answers, [503, 200]);
  report.sum('receiver that fails', `answered ${answers.join(', then ')}`);
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
async function answersTo(
  { partner }: Actors,
  webhookId: string,
  { polling }: SandboxScript,
  count = 1,
): Promise<number[]> {
  const ask = async () => {
    const { body } = await request(partner, 'GET /sandbox/callbacks');
    const all = (body as Receiver).callbacks.toReversed();
    return all.flatMap(({ answered, headers }) => (headers['webhook-id'] === webhookId ? [answered] : []));
  };
  const until = (answers: number[]) => answers.length >= count;
  return eventually(`${count} attempts of ${webhookId}`, ask, { until, ...polling });
}
