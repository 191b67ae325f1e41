import type { Actors } from './actors.ts';
import { request } from './client.ts';
import type { Reporter } from './reporter.ts';

/** Requests without credentials, or with wrong ones, are refused. */
export async function refusalAct({ partner, wallet }: Actors, report: Reporter): Promise<void> {
  report.act('Requests without valid credentials are refused');
  const { login, secret, ...anonymous } = partner;
  const without = await request(anonymous, 'GET /promos');
  report.tell('stranger', `asks without credentials: ${without.status}`);
  report.checkStatus('refused without credentials', without, 401);

  const wrong = await request({ ...anonymous, login: `${login}`, secret: `not ${secret}` }, 'GET /promos');
  report.tell('stranger', `asks with a wrong secret: ${wrong.status}`);
  report.checkStatus('refused with a wrong secret', wrong, 403);

  // Where the wallet signs its requests; on a developer's machine its routes are open.
  if (!wallet.sign) return;
  const { sign, ...unsigned } = wallet;
  const offerId = encodeURIComponent(partner.offerId ?? '');
  const refused = await request(unsigned, `GET /wallet/offers/${offerId}/promos`);
  report.tell('stranger', `calls a route of the wallet without a signature: ${refused.status}`);
  report.checkStatus("refused to the wallet's routes without a signature", refused, 403);
}
