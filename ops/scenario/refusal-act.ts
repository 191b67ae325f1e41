import { request, type Speaker } from './client.ts';
import { expectStatus, type Narrator } from './narrator.ts';

/** Nobody gets in without credentials, or with wrong ones. */
export async function refusalAct(
  { partner, wallet }: { partner: Speaker; wallet: Speaker },
  title: string,
  say: Narrator,
): Promise<void> {
  say.act(title);
  const { login, secret, ...nobody } = partner;
  const without = await request(nobody, 'GET /promos');
  say.tell('nobody', `asks without credentials: ${without.status}`);
  expectStatus(say, 'refused without credentials', without, 401);

  const wrong = await request({ ...nobody, login: `${login}`, secret: `not ${secret}` }, 'GET /promos');
  say.tell('nobody', `asks with a wrong secret: ${wrong.status}`);
  expectStatus(say, 'refused with a wrong secret', wrong, 403);

  // Where the wallet signs its requests; on a laptop its routes are open.
  if (!wallet.sign) return;
  const { sign, ...unsigned } = wallet;
  const open = await request(
    unsigned,
    `GET /wallet/offers/${encodeURIComponent(partner.offerId ?? '')}/promos`,
  );
  say.tell('nobody', `asks for what is the wallet's, unsigned: ${open.status}`);
  expectStatus(say, "refused to the wallet's routes without a signature", open, 403);
}
