import { setTimeout as delay } from 'node:timers/promises';
import { type Caller, type Reply, request } from './client.ts';
import { eventually } from './eventually.ts';
import { checkHistory, type Sent, sendOne } from './push-act.ts';
import type { Reporter } from './reporter.ts';

export type SandboxScript = {
  /** Two numbers that the partner adds as phones of its own. */
  phones: readonly [number, number];
  /** How long to wait for a callback. */
  timeoutSeconds: number;
};

type Endpoint = { url: string; status: string };
type Receiver = { url: string; callbacks: { answered: number; headers: Record<string, string> }[] };
type Phone = { messages: { messageId: string; state: string }[] };

/** A changed address is in effect within 5 s. */
const takesEffectMs = 5_500;

/** What a partner does with nothing but its key, where the wallet platform is simulated: from a phone to its callbacks. */
export async function sandboxAct(partner: Caller, script: SandboxScript, report: Reporter): Promise<void> {
  report.act('A partner tries it all with phones and a receiver of its own');
  const before = await request(partner, 'GET /callbacks/endpoint');
  const { url } = await setReceiver(partner, { status: 200 }, report);
  await setEndpoint(partner, url, report);
  try {
    await addPhones(partner, script, report);
    await delay(takesEffectMs);
    await deliverAndOpen(partner, script, report);
    await recover(partner, script, report);
  } finally {
    if (before.status === 200)
      await request(partner, 'PUT /callbacks/endpoint', { url: (before.body as Endpoint).url });
  }
}

async function setReceiver(partner: Caller, answer: object, report: Reporter): Promise<Receiver> {
  const set = request(partner, 'PUT /sandbox/callbacks', answer);
  const receiver = await report.checkReply<Receiver>('receiver set', set);
  report.tell('receiver', `answers ${JSON.stringify(answer)}`);
  return receiver;
}

async function setEndpoint(partner: Caller, url: string, report: Reporter): Promise<void> {
  const set = request(partner, 'PUT /callbacks/endpoint', { url });
  const { status } = await report.checkReply<Endpoint>('it is the callback endpoint', set);
  if (status !== 'ENABLED')
    await report.checkReply('enabled', request(partner, 'POST /callbacks/endpoint/enable'));
}

async function addPhones(partner: Caller, { phones }: SandboxScript, report: Reporter): Promise<void> {
  for (const msisdn of phones) {
    const added = request(partner, `PUT /sandbox/phones/${msisdn}`);
    report.check('phone added', (await added).body, { msisdn, registered: true });
  }
  report.tell('partner', `adds ${phones.length} phones`);
}

/** Also those of a run that broke off. */
export async function removePhones(
  partner: Caller,
  { phones }: SandboxScript,
  report: Reporter,
): Promise<void> {
  for (const msisdn of phones)
    await report.checkReply('phone removed', request(partner, `DELETE /sandbox/phones/${msisdn}`));
}

async function deliverAndOpen(partner: Caller, script: SandboxScript, report: Reporter): Promise<void> {
  const [msisdn] = script.phones;
  const { messageId } = await send(partner, msisdn, report);
  const phone = () => request(partner, `GET /sandbox/phones/${msisdn}`);
  const shows = ({ body }: Reply) =>
    (body as Phone).messages.find((message) => message.messageId === messageId)?.state;
  const shown = await eventually(phone, (reply) => shows(reply) !== undefined, polling(script));
  report.check('the phone shows the message', shows(shown), 'DELIVERED');
  report.check('called back', await answersTo(partner, `${messageId}-DELIVERED`, script), [200]);

  const open = request(partner, `POST /sandbox/phones/${msisdn}/messages/${messageId}/open`);
  await report.checkReply('opened by hand', open);
  report.check('called back again', await answersTo(partner, `${messageId}-OPENED`, script), [200]);
  const states = ['ENQUEUED', 'DELIVERED', 'OPENED'];
  await checkHistory(partner, { messageId, states }, report);
  report.tell('receiver', 'has taken two callbacks that verify');
  report.sum('phone of its own', `${states.join(', ')}, and two verified callbacks`);
}

/** The receiver fails once: the callback comes again. */
async function recover(partner: Caller, script: SandboxScript, report: Reporter): Promise<void> {
  await setReceiver(partner, { status: 503, times: 1 }, report);
  const { messageId } = await send(partner, script.phones[1], report);
  const answers = await answersTo(partner, `${messageId}-DELIVERED`, script, 2);
  report.check('refused once, then taken', answers, [503, 200]);
  report.sum('receiver that fails', `answered ${answers.join(', then ')}`);
}

function send(partner: Caller, msisdn: number, report: Reporter): Promise<Sent> {
  const message = {
    pushType: 'SERVICE',
    msisdn,
    payload: { title: 'Smoke test', message: 'On a phone of our own' },
    qos: { deliveryStatusNotifications: true },
  };
  return sendOne(partner, message, 'ENQUEUED', report);
}

function polling({ timeoutSeconds }: SandboxScript) {
  return { timeoutSeconds, intervalMs: 300 };
}

/** How the receiver has answered this callback, the first attempt first, once it has seen `count` attempts. */
async function answersTo(
  partner: Caller,
  webhookId: string,
  script: SandboxScript,
  count = 1,
): Promise<number[]> {
  const ask = async () => {
    const { body } = await request(partner, 'GET /sandbox/callbacks');
    const all = (body as Receiver).callbacks.toReversed();
    return all.flatMap(({ answered, headers }) => (headers['webhook-id'] === webhookId ? [answered] : []));
  };
  return eventually(ask, (answers) => answers.length >= count, polling(script));
}
