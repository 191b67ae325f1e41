import type { Actors } from '../scenario/actors.ts';
import { registerPhones } from '../scenario/push-act.ts';
import type { Script } from '../scenario/scenario.ts';
import { smokeCardPrefix } from '../scenario/smoke-script.ts';

type CheckIn = { checkinNumber: number; cardNumber: string };
type Promotion = { promoId: number; name: string };

/** Removes what this run, or an earlier interrupted one, has left behind. */
export async function cleanUp(actors: Actors, script: Script): Promise<void> {
  const { partner, sandbox, report } = actors;
  const { push, promotion, checkIn } = script;
  report.act('Clean-up');
  const send = <Body>(what: string, route: string, content?: unknown) =>
    report.send<Body>(what, partner, route, content);
  if (push && sandbox)
    for (const msisdn of script.sandbox) await send('phone removed', `DELETE /sandbox/phones/${msisdn}`);
  if (push) {
    const unregistered = [...push.registered, ...push.unregistered];
    await registerPhones(actors, { registered: [], unregistered });
  }
  const running = 'GET /promo/v1/all?activeOnly=true&limit=100';
  const { items } = await send<{ items: Promotion[] }>('running promotions requested', running);
  const { endDate } = promotion.end;
  for (const { promoId } of items.filter(({ name }) => name === promotion.name))
    await send(`promotion ${promoId} ended`, 'POST /promo/v1/update', { promoId, endDate });
  const open = `GET /partner/api/place/${encodeURIComponent(checkIn.place.itemId)}/checkins`;
  const checkIns = await send<CheckIn[]>('open check-ins requested', open);
  const ours = checkIns.filter(({ cardNumber }) => cardNumber.startsWith(smokeCardPrefix));
  for (const { checkinNumber } of ours)
    await send(`check-in ${checkinNumber} redeemed`, 'POST /partner/api/checkin/register', { checkinNumber });
}
