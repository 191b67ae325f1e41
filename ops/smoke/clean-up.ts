import type { Actors } from '../scenario/actors.ts';
import { request } from '../scenario/client.ts';
import { registerPhones } from '../scenario/push-act.ts';
import type { Reporter } from '../scenario/reporter.ts';
import { removePhones } from '../scenario/sandbox-act.ts';
import type { Script } from '../scenario/scenario.ts';
import { smokeCardPrefix } from '../scenario/smoke-script.ts';

type CheckIn = { checkinNumber: number; cardNumber: string };
type Promotion = { promoId: number; name: string };

/** Closes what this run, or an earlier one that broke off, has left open. */
export async function cleanUp(
  { partner, wallet, sandbox }: Actors,
  { push, promotion, checkIn, sandbox: own }: Script,
  report: Reporter,
): Promise<void> {
  report.act('Clean-up');
  if (push && sandbox) await removePhones(partner, own, report);
  if (push && wallet) {
    const phones = [...push.registered, ...push.unregistered];
    await registerPhones(wallet, { registered: [], unregistered: phones }, report);
  }
  const running = request(partner, 'GET /promo/v1/all?activeOnly=true&limit=100');
  const { items } = await report.checkReply<{ items: Promotion[] }>('running promotions requested', running);
  for (const { promoId } of items.filter(({ name }) => name === promotion.name)) {
    const update = { promoId, endDate: promotion.end.endDate };
    await report.checkReply(`promotion ${promoId} ended`, request(partner, 'POST /promo/v1/update', update));
  }
  const open = request(partner, `GET /partner/api/place/${checkIn.place.itemId}/checkins`);
  const checkIns = await report.checkReply<CheckIn[]>('open check-ins requested', open);
  for (const { checkinNumber } of checkIns.filter(({ cardNumber }) =>
    cardNumber.startsWith(smokeCardPrefix),
  )) {
    const redeem = request(partner, 'POST /partner/api/checkin/register', { checkinNumber });
    await report.checkReply(`check-in ${checkinNumber} redeemed`, redeem);
  }
}
