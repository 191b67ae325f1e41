import type { Actors } from './actors.ts';
import { type Caller, request } from './client.ts';
import type { Reporter } from './reporter.ts';

export type PromotionScript = {
  name: string;
  description: { sent: string; kept: string };
  discount: string;
  /** The end that the promotion is given at last, and its status then. */
  end: { endDate: string; status: 'active' | 'completed' };
};

type Details = { description: string; endDate: unknown };
type Page = { items: { promoId: number; name: string }[] };

/** A promotion is created, cleaned, listed, shown by the wallet, and given an end. Returns its id. */
export async function promotionAct(
  { partner, wallet }: Actors,
  script: PromotionScript,
  report: Reporter,
): Promise<number> {
  report.act('A partner creates a promotion');
  const promoId = await create(partner, script, report);

  const details = await request(partner, `GET /promo/v1/details?promoId=${promoId}`);
  report.checkStatus('read back', details);
  const { description, endDate } = details.body as Details;
  report.tell('partner', `reads it back: ${description}`);
  report.check('its HTML is clean', description, script.description.kept);
  report.check('it is open-ended', endDate, null);

  const list = await request(partner, 'GET /promo/v1/all?activeOnly=true&limit=100');
  report.checkStatus('list requested', list);
  const entry = (list.body as Page).items.find((item) => item.promoId === promoId);
  report.check('listed', entry?.name, script.name);

  const offerId = encodeURIComponent(partner.offerId ?? '');
  const ofOffer = await request(wallet, `GET /wallet/offers/${offerId}/promos`);
  report.checkStatus('requested by the wallet', ofOffer);
  const { promos } = ofOffer.body as { promos: { promoId: number }[] };
  const shown = promos.some((promo) => promo.promoId === promoId);
  report.tell('wallet', `shows it to card holders: ${shown ? 'yes' : 'no'}`);
  report.check('the wallet shows it', shown, true);

  const { end } = script;
  const updated = await request(partner, 'POST /promo/v1/update', { promoId, endDate: end.endDate });
  report.tell('partner', `gives it an end, ${end.endDate}: ${end.status}`);
  report.check('updated', updated.body, { promoId, status: end.status });
  report.sum('promotion', `created, cleaned, listed, shown, updated (number ${promoId})`);
  return promoId;
}

async function create(
  partner: Caller,
  { name, description, discount }: PromotionScript,
  report: Reporter,
): Promise<number> {
  const reply = await request(partner, 'POST /promo/v1/create', {
    name,
    startDate: '2026-01-01T00:00:00+03',
    description: description.sent,
    discount,
  });
  report.checkStatus('created', reply);
  const { promoId, status } = reply.body as { promoId: number; status: string };
  report.tell('partner', `creates promotion ${promoId}: ${status}`);
  report.check('active at once', status, 'active');
  return promoId;
}
