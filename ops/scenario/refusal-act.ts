import type { Actors } from './actors.ts';
import { request } from './client.ts';

/** Checks that requests without credentials, with wrong ones, or to a path that does not exist are refused. */
export async function refusalAct({ partner, wallet, report }: Actors): Promise<void> {
  report.act('Requests without valid credentials are refused');
  const { login, secret, ...anonymous } = partner;
  await report.checkReply('refused without credentials', request(anonymous, 'GET /promos'), 401);
  report.tell('stranger', 'asks without credentials: 401');

  const mistaken = { ...anonymous, login: `${login}`, secret: `not ${secret}` };
  await report.checkReply('refused with a wrong secret', request(mistaken, 'GET /promos'), 403);
  report.tell('stranger', 'asks with a wrong secret: 403');

  await report.checkReply('an unknown path answered', request(anonymous, 'GET /unknown'), 404);

  // On a developer's machine the wallet does not sign, and its routes are open.
  if (!wallet?.sign) return;
  const { sign, ...unsigned } = wallet;
  const route = `GET /wallet/offers/${encodeURIComponent(partner.offerId ?? '')}/promos`;
  const refused = request(unsigned, route);
  await report.checkReply("refused to the wallet's routes without a signature", refused, 403);
}
