import type { SimulatedPartner } from '../actors/partners.ts';
import type { Load, Stage } from './load.ts';

const aSecond = 50;
const seconds = 20;

/** A card checks in. Three seconds later a cash desk lists the check-ins and redeems it. */
export async function visit({ ask, sleep }: Stage, partner: SimulatedPartner, n: number): Promise<boolean> {
  const { offerId, placeIds } = partner.cafe;
  const [placeId] = placeIds;
  const opened = await ask(partner, 'POST /wallet/check-ins', {
    offerId,
    placeId,
    cardNumber: `9643907${n}`,
  });
  if (opened.status !== 200) return false;
  await sleep(3_000);
  const listed = await ask(partner, `GET /partner/api/place/${placeId}/checkins`, undefined, offerId);
  if (listed.status !== 200) return false;
  const { checkinNumber } = opened.body as { checkinNumber: number };
  const redeemed = await ask(partner, 'POST /partner/api/checkin/register', { checkinNumber }, offerId);
  return redeemed.status === 200;
}

export const checkInLoad: Load = {
  // Its cash desks use the whole standard budget, and more in some windows.
  limits: { tillRequests: 2_000 },
  run: async (stage) => {
    const visits: Promise<boolean>[] = [];
    for (let n = 0; n < aSecond * seconds; n++) {
      visits.push(visit(stage, stage.alpha, n));
      await stage.sleep(1_000 / aSecond);
    }
    const done = await Promise.all(visits);
    return { failed: done.filter((isDone) => !isDone).length, latenciesMs: stage.requestsMs };
  },
};
