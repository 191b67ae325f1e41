import type { Actors } from '../scenario/actors.ts';
import { request } from '../scenario/client.ts';
import { registerPhones } from '../scenario/push-act.ts';
import type { Reporter } from '../scenario/reporter.ts';
import type { Script } from '../scenario/scenario.ts';
import { smokeCardPrefix } from '../scenario/smoke-script.ts';

type CheckIn = { checkinNumber: number; cardNumber: string };
type Promotion = { promoId: number; name: string };

/** Closes what this run, or an earlier one that broke off, has left open. */
export async function cleanUp(
  { partner, wallet }: Actors,
  { push, promotion, checkIn }: Script,
  report: Reporter,
): Promise<void> {
  report.act('Clean-up');
  if (push) {
    const phones = [...push.registered, ...push.unregistered];
    await registerPhones(wallet, { registered: [], unregistered: phones }, report);
  }
  const promotions = await request(partner, 'GET /promo/v1/all?activeOnly=true&limit=100');
  report.checkStatus('running promotions requested', promotions);
  for (const { promoId, name } of (promotions.body as { items: Promotion[] }).items) {
    if (name !== promotion.name) continue;
    const { endDate } = promotion.end;
    const ended = await request(partner, 'POST /promo/v1/update', { promoId, endDate });
    report.checkStatus(`promotion ${promoId} ended`, ended);
  }
  const checkIns = await request(partner, `GET /partner/api/place/${checkIn.place.itemId}/checkins`);
  report.checkStatus('open check-ins requested', checkIns);
  for (const { checkinNumber, cardNumber } of checkIns.body as CheckIn[]) {
    if (!cardNumber.startsWith(smokeCardPrefix)) continue;
    const redeemed = await request(partner, 'POST /partner/api/checkin/register', { checkinNumber });
    report.checkStatus(`check-in ${checkinNumber} redeemed`, redeemed);
  }
}
