import { request, type Speaker } from './client.ts';
import { expectStatus, type Narrator } from './narrator.ts';

export type PromotionScript = {
  title: string;
  name: string;
  description: { sent: string; kept: string };
  discount: string;
  /** What the promotion is given at last, and what becomes of it then. */
  end: { endDate: string; status: 'active' | 'completed' };
};

type Details = { description: string; endDate: unknown };
type Page = { items: { promoId: number; name: string }[] };

/** Area D: a promotion is created, cleaned, listed, seen by the wallet, and given an end. Returns its id. */
export async function promotionAct(
  { partner, wallet }: { partner: Speaker; wallet: Speaker },
  script: PromotionScript,
  say: Narrator,
): Promise<number> {
  say.act(script.title);
  const promoId = await created(partner, script, say);

  const details = await request(partner, `GET /promo/v1/details?promoId=${promoId}`);
  expectStatus(say, 'read back', details);
  const { description, endDate } = details.body as Details;
  say.tell('partner', `reads it back: ${description}`);
  say.expect('its HTML is clean', description, script.description.kept);
  say.expect('it is open-ended', endDate, null);

  const list = await request(partner, 'GET /promo/v1/all?activeOnly=true&limit=100');
  expectStatus(say, 'asked for the list', list);
  const entry = (list.body as Page).items.find((item) => item.promoId === promoId);
  say.expect('listed', entry?.name, script.name);

  const seen = await request(
    wallet,
    `GET /wallet/offers/${encodeURIComponent(partner.offerId ?? '')}/promos`,
  );
  expectStatus(say, 'asked for by the wallet', seen);
  const { promos } = seen.body as { promos: { promoId: number }[] };
  const shown = promos.some((promo) => promo.promoId === promoId);
  say.tell('wallet', `shows it to card holders: ${shown ? 'yes' : 'no'}`);
  say.expect('the wallet shows it', shown, true);

  await ended(partner, promoId, script, say);
  say.sum('promotion', `created, cleaned, listed, shown, updated (number ${promoId})`);
  return promoId;
}

async function created(partner: Speaker, script: PromotionScript, say: Narrator): Promise<number> {
  const reply = await request(partner, 'POST /promo/v1/create', {
    name: script.name,
    startDate: '2026-01-01T00:00:00+03',
    description: script.description.sent,
    discount: script.discount,
  });
  expectStatus(say, 'created', reply);
  const { promoId, status } = reply.body as { promoId: number; status: string };
  say.tell('partner', `creates promotion ${promoId}: ${status}`);
  say.expect('active at once', status, 'active');
  return promoId;
}

async function ended(
  partner: Speaker,
  promoId: number,
  { end }: PromotionScript,
  say: Narrator,
): Promise<void> {
  const updated = await request(partner, 'POST /promo/v1/update', { promoId, endDate: end.endDate });
  say.tell('partner', `gives it an end, ${end.endDate}: ${end.status}`);
  say.expect('updated', updated.body, { promoId, status: end.status });
}
