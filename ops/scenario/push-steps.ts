import { request, type Speaker } from './client.ts';
import { expectStatus, type Narrator } from './narrator.ts';

export type Sent = { msisdn: number; messageId: string; state: string };

export type Registration = { registered: readonly number[]; unregistered: readonly number[] };

/** The wallet says who has it and who has not. */
export async function registerPhones(wallet: Speaker, phones: Registration, say: Narrator): Promise<void> {
  const reply = await request(wallet, 'PUT /wallet/recipients', phones);
  say.tell('wallet', `says who has the wallet: ${JSON.stringify(reply.body)}`);
  expectStatus(say, 'asked about phones', reply);
  say.expect('phones noted', reply.body, {
    registered: phones.registered.length,
    unregistered: phones.unregistered.length,
  });
}

/** One message to one phone, which must be taken with the state named. */
export async function sendOne(
  partner: Speaker,
  message: { msisdn: number } & Record<string, unknown>,
  state: string,
  say: Narrator,
): Promise<Sent> {
  const reply = await request(partner, 'POST /push/delivery', message);
  expectStatus(say, 'message sent', reply);
  const sent = { ...(reply.body as Sent), msisdn: message.msisdn };
  say.tell('partner', `sends one message: ${sent.state}, ${reply.headers.get('ratelimit')}`);
  say.expect('its state', sent.state, state);
  return sent;
}

/** The states that the history of a message begins with; later ones depend on the phone's owner. */
export async function expectHistory(
  partner: Speaker,
  messageId: string,
  expected: readonly string[],
  say: Narrator,
): Promise<void> {
  const history = await request(partner, `GET /push/${messageId}/transactional-state`);
  expectStatus(say, 'asked for the history', history);
  const { states } = history.body as { states: { state: string; time: string }[] };
  say.tell(
    'partner',
    `asks for the history: ${states.map(({ state, time }) => `${state} ${time}`).join(', ')}`,
  );
  const first = states.slice(0, expected.length).map(({ state }) => state);
  say.expect('its history', first, expected);
}
