import type { Actors } from './actors.ts';
import { request } from './client.ts';

export type PromotionScript = {
  name: string;
  description: { sent: string; kept: string };
  discount: string;
  /** The end date that the last step sets, and the resulting status. */
  end: { endDate: string; status: 'active' | 'completed' };
};

type Promotion = { promoId: number; name: string; status: string; description: string; endDate: unknown };

/** A promotion is created, cleaned, listed, shown by the wallet, and given an end. Returns its id. */
export async function promotionAct(actors: Actors, script: PromotionScript): Promise<number> {
  const { partner, wallet, report } = actors;
  const { name, description, discount, end } = script;
  report.act('A partner creates a promotion');
  const startDate = '2026-01-01T00:00:00+03';
  const promotion = { name, startDate, description: description.sent, discount };
  const create = request(partner, 'POST /promo/v1/create', promotion);
  const { promoId, status } = await report.checkReply<Promotion>('created', create);
  report.tell('partner', `creates promotion ${promoId}: ${status}`);
  report.check('active at once', status, 'active');

  const readBack = request(partner, `GET /promo/v1/details?promoId=${promoId}`);
  const details = await report.checkReply<Promotion>('read back', readBack);
  report.tell('partner', `reads it back: ${details.description}`);
  report.check('its HTML is clean', details.description, description.kept);
  report.check('it is open-ended', details.endDate, null);

  const list = request(partner, 'GET /promo/v1/all?activeOnly=true&limit=100');
  const { items } = await report.checkReply<{ items: Promotion[] }>('list requested', list);
  report.check('listed', items.find((item) => item.promoId === promoId)?.name, name);

  if (wallet) {
    const route = `GET /wallet/offers/${encodeURIComponent(partner.offerId ?? '')}/promos`;
    const ofOffer = request(wallet, route);
    const { promos } = await report.checkReply<{ promos: Promotion[] }>('requested by the wallet', ofOffer);
    const shown = promos.some((promo) => promo.promoId === promoId);
    report.tell('wallet', `shows it to card holders: ${shown ? 'yes' : 'no'}`);
    report.check('the wallet shows it', shown, true);
  }

  const updated = await request(partner, 'POST /promo/v1/update', { promoId, endDate: end.endDate });
  report.tell('partner', `gives it an end, ${end.endDate}: ${end.status}`);
  report.check('updated', updated.body, { promoId, status: end.status });
  report.sum('promotion', `created, cleaned, listed, shown, updated (number ${promoId})`);
  return promoId;
}
