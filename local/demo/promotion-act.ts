import { request, type Speaker } from './client.ts';
import type { Narrator } from './narrator.ts';

/** Area D: a promotion is created, cleaned, seen by the wallet, and given another end. Returns its id. */
export const promotionAct = async (partner: Speaker, wallet: Speaker, say: Narrator): Promise<number> => {
  say.act('D. A partner creates a promotion');
  const created = await request(partner, 'POST /promo/v1/create', {
    name: 'Два по цене одного',
    startDate: '2026-01-01T00:00:00+03',
    description: '<p>Каждый день <b>до 18:00</b></p><script>alert(1)</script>',
    discount: '50 %',
  });
  const { promoId, status } = created.body as { promoId: number; status: string };
  say.tell('partner', `creates promotion ${promoId}: ${status}`);
  say.expect('created', [created.status, status], [200, 'active']);

  const details = await request(partner, `GET /promo/v1/details?promoId=${promoId}`);
  const { description, endDate } = details.body as { description: string; endDate: unknown };
  say.tell('partner', `reads it back: ${description}`);
  say.expect('its HTML is clean', description, '<p>Каждый день <b>до 18:00</b></p>');
  say.expect('it is open-ended', endDate, null);

  const seen = await request(wallet, `GET /wallet/offers/${partner.offerId}/promos`);
  const shown = (seen.body as { promos: { promoId: number }[] }).promos.some(
    (promo) => promo.promoId === promoId,
  );
  say.tell('wallet', `shows it to card holders: ${shown ? 'yes' : 'no'}`);
  say.expect('the wallet shows it', shown, true);

  const updated = await request(partner, 'POST /promo/v1/update', {
    promoId,
    endDate: '2099-12-31T23:59:59+0300',
  });
  say.tell('partner', 'gives it an end in 2099: still active');
  say.expect('updated', updated.body, { promoId, status: 'active' });
  say.sum('promotion', `created, cleaned, shown, updated (number ${promoId})`);
  return promoId;
};
