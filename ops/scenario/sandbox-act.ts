import { setTimeout as delay } from 'node:timers/promises';
import type { Actors } from './actors.ts';
import { request } from './client.ts';
import { eventually } from './eventually.ts';
import { checkHistory, type Sent, sendOne } from './push-act.ts';

export type SandboxScript = {
  /** Two numbers that the partner adds as phones of its own. */
  phones: readonly [number, number];
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

function setReceiver({ partner, report }: Actors, answer: object): Promise<Receiver> {
  report.tell('receiver', `answers ${JSON.stringify(answer)}`);
  return report.send<Receiver>('receiver set', partner, 'PUT /sandbox/callbacks', answer);
}

async function setEndpoint({ partner, report }: Actors, url: string): Promise<void> {
  const what = 'it is the callback endpoint';
  const { status } = await report.send<Endpoint>(what, partner, 'PUT /callbacks/endpoint', { url });
  if (status !== 'ENABLED') await report.send('enabled', partner, 'POST /callbacks/endpoint/enable');
}

async function addPhones({ partner, report }: Actors, { phones }: SandboxScript): Promise<void> {
  for (const msisdn of phones) {
    const { body } = await request(partner, `PUT /sandbox/phones/${msisdn}`);
    report.check('phone added', body, { msisdn, registered: true });
  }
}

/** Removes the phones, also those of an interrupted run. */
export async function removePhones({ partner, report }: Actors, { phones }: SandboxScript): Promise<void> {
  for (const msisdn of phones)
    await report.send('phone removed', partner, `DELETE /sandbox/phones/${msisdn}`);
}

async function deliverAndOpen(actors: Actors, script: SandboxScript): Promise<void> {
  const { partner, report, deadlineSeconds } = actors;
  const [msisdn] = script.phones;
  const { messageId } = await send(actors, msisdn);
  const shown = async () => {
    const { body } = await request(partner, `GET /sandbox/phones/${msisdn}`);
    return (body as Phone).messages.find((message) => message.messageId === messageId)?.state;
  };
  const polling = { timeoutSeconds: deadlineSeconds, intervalMs: 300 };
  const state = await eventually('the phone shows the message', shown, polling);
  report.check('the phone shows the message', state, 'DELIVERED');
  report.check('called back', await answersTo(actors, `${messageId}-DELIVERED`), [200]);

  await report.send('opened by hand', partner, `POST /sandbox/phones/${msisdn}/messages/${messageId}/open`);
  report.check('called back again', await answersTo(actors, `${messageId}-OPENED`), [200]);
  await checkHistory(actors, messageId, ['ENQUEUED', 'DELIVERED', 'OPENED']);
}

/** Lets the receiver fail once, and checks that the callback comes again. */
async function recover(actors: Actors, script: SandboxScript): Promise<void> {
  const { report } = actors;
  await setReceiver(actors, { status: 503, times: 1 });
  const { messageId } = await send(actors, script.phones[1]);
  const answers = await answersTo(actors, `${messageId}-DELIVERED`, 2);
  report.check('refused once, then taken', answers, [503, 200]);
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
  { partner, deadlineSeconds }: Actors,
  webhookId: string,
  count = 1,
): Promise<number[]> {
  const ask = async () => {
    const { body } = await request(partner, 'GET /sandbox/callbacks');
    const all = (body as Receiver).callbacks.toReversed();
    return all.flatMap(({ answered, headers }) => (headers['webhook-id'] === webhookId ? [answered] : []));
  };
  const until = (answers: number[]) => answers.length >= count;
  const polling = { until, timeoutSeconds: deadlineSeconds, intervalMs: 300 };
  return eventually(`${count} attempts of ${webhookId}`, ask, polling);
}
