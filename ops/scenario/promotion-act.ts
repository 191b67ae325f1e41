import type { Actors } from './actors.ts';
import { request } from './client.ts';

export type PromotionScript = {
  name: string;
  /** It is sent with a script, which the service must remove. */
  description: string;
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
  const promotion = { name, startDate, description: `${description}<script>alert(1)</script>`, discount };
  const reply = await request(partner, 'POST /promo/v1/create', promotion);
  const isFull = reply.status === 409;
  const created = isFull ? useAgain(actors, promotion) : report.checkReply<Promotion>('created', reply);
  const { promoId, status } = await created;
  report.tell('partner', `creates promotion ${promoId}: ${status}`);
  report.check('active at once', status, 'active');

  const readBack = `GET /promo/v1/details?promoId=${promoId}`;
  const details = await report.send<Promotion>('read back', partner, readBack);
  report.tell('partner', `reads it back: ${details.description}`);
  report.check('its HTML is clean', details.description, description);
  report.check('it is open-ended', details.endDate, null);

  const listed = 'GET /promo/v1/all?activeOnly=true&limit=100';
  const { items } = await report.send<{ items: Promotion[] }>('list requested', partner, listed);
  report.check('listed', items.find((item) => item.promoId === promoId)?.name, name);

  if (wallet) {
    const route = `GET /wallet/offers/${encodeURIComponent(partner.offerId ?? '')}/promos`;
    const { promos } = await report.send<{ promos: Promotion[] }>('requested by the wallet', wallet, route);
    const isShown = promos.some((promo) => promo.promoId === promoId);
    report.check('the wallet shows it to card holders', isShown, true);
    report.tell('wallet', 'shows it to card holders');
  }

  const updated = await request(partner, 'POST /promo/v1/update', { promoId, endDate: end.endDate });
  report.check(`updated to end ${end.endDate}`, updated.body, { promoId, status: end.status });
  report.tell('partner', `gives it an end, ${end.endDate}: ${end.status}`);
  return promoId;
}

/** A partner has 1,000 promotions at most, and each deployment makes one: then an ended one gets the new content. */
async function useAgain({ partner, report }: Actors, promotion: { name: string }): Promise<Promotion> {
  const all = 'GET /promo/v1/all?limit=100';
  const { items } = await report.send<{ items: Promotion[] }>('earlier ones requested', partner, all);
  const promoId = items.find(({ name }) => name === promotion.name)?.promoId;
  const changes = { promoId, ...promotion, endDate: null };
  return report.send<Promotion>('created again from an ended one', partner, 'POST /promo/v1/update', changes);
}
