import type { Actors } from './actors.ts';
import { request } from './client.ts';

type CheckIn = { checkinNumber: number; secretCode: string; expiresAt: string };
type ListedCheckIn = { checkinNumber: number; secretCode: string; cardNumber: string };

export type CheckInScript = {
  place: { itemId: string; name: string };
  cardNumber: string;
  /** The number of cash desks that try to redeem the check-in at once. */
  desks: number;
};

/** The wallet opens a check-in, the cash desk sees it, one desk redeems it, and it is gone. */
export async function checkInAct(actors: Actors, script: CheckInScript): Promise<void> {
  const { partner, wallet, other, report } = actors;
  const { place, cardNumber, desks } = script;
  report.act('A card holder checks in, and the cash desk redeems the check-in');
  const wanted = { offerId: partner.offerId, placeId: place.itemId, cardNumber };
  const open = () => request(wallet ?? partner, `POST /${wallet ? 'wallet' : 'sandbox'}/check-ins`, wanted);
  const listed = async () => {
    const route = `GET /partner/api/place/${encodeURIComponent(place.itemId)}/checkins`;
    const all = await report.send<ListedCheckIn[]>('list requested', partner, route);
    return all.filter((checkIn) => checkIn.cardNumber === cardNumber);
  };

  const checkIn = await report.checkReply<CheckIn>('opened', open());
  const { checkinNumber, secretCode, expiresAt } = checkIn;
  const shown = `code ${secretCode}, until ${expiresAt}`;
  report.tell('wallet', `opens check-in ${checkinNumber} at ${place.name}: ${shown}`);
  report.check('opened again, the same comes back', (await open()).body, checkIn);
  report.tell('wallet', 'opens it again: the same check-in comes back');

  const seen = await listed();
  report.tell('cash desk', `sees ${JSON.stringify(seen)}`);
  report.check('listed', seen, [{ secretCode, checkinNumber, cardNumber }]);

  const redeem = (caller = partner) =>
    request(caller, 'POST /partner/api/checkin/register', { checkinNumber });
  if (other) {
    const refusal = await report.checkReply('refused to another partner', redeem(other), 404);
    report.tell('other', `another partner tries number ${checkinNumber}: 404 ${JSON.stringify(refusal)}`);
  }
  const replies = await Promise.all(Array.from({ length: desks }, () => redeem()));
  const statuses = replies.map(({ status }) => status).sort();
  report.tell('cash desks', `${desks} at once redeem it: ${statuses.join(', ')}`);
  report.check('redeemed once', statuses, [200, ...Array.from({ length: desks - 1 }, () => 409)]);
  const late = await report.checkReply('refused the second time', redeem(), 409);
  report.tell('cash desk', `one comes too late: 409 ${JSON.stringify(late)}`);
  report.check('gone from the list', await listed(), []);
  report.tell('cash desk', 'does not see it any more');
}
