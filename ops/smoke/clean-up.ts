import { request, type Speaker } from '../scenario/client.ts';
import { expectStatus, type Narrator } from '../scenario/narrator.ts';
import { registerPhones } from '../scenario/push-steps.ts';
import { cardPrefix, checkIn, nobodysPhone, phone, promotion } from './scripts.ts';

type CheckIn = { checkinNumber: number; cardNumber: string };
type Promotion = { promoId: number; name: string };

/** Takes back what this run, or an earlier one that died, has left open. */
export async function cleanUp(
  { partner, wallet }: { partner: Speaker; wallet: Speaker },
  push: boolean,
  say: Narrator,
): Promise<void> {
  say.act('Clean-up');
  if (push) await registerPhones(wallet, { registered: [], unregistered: [phone, nobodysPhone] }, say);
  await endPromotions(partner, say);
  await useUpCheckIns(partner, say);
}

async function endPromotions(partner: Speaker, say: Narrator): Promise<void> {
  const list = await request(partner, 'GET /promo/v1/all?activeOnly=true&limit=100');
  expectStatus(say, 'asked for running promotions', list);
  for (const { promoId, name } of (list.body as { items: Promotion[] }).items) {
    if (name !== promotion.name) continue;
    const { endDate } = promotion.end;
    expectStatus(
      say,
      `promotion ${promoId} ended`,
      await request(partner, 'POST /promo/v1/update', { promoId, endDate }),
    );
  }
}

async function useUpCheckIns(partner: Speaker, say: Narrator): Promise<void> {
  const list = await request(partner, `GET /partner/api/place/${checkIn().place.itemId}/checkins`);
  expectStatus(say, 'asked for open check-ins', list);
  for (const { checkinNumber, cardNumber } of list.body as CheckIn[]) {
    if (!cardNumber.startsWith(cardPrefix)) continue;
    const used = await request(partner, 'POST /partner/api/checkin/register', { checkinNumber });
    expectStatus(say, `check-in ${checkinNumber} used up`, used);
  }
}
