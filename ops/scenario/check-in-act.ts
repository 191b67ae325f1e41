import type { Actors } from './actors.ts';
import { type Caller, request } from './client.ts';
import type { Reporter } from './reporter.ts';

type CheckIn = { checkinNumber: number; secretCode: string; expiresAt: string };
type ListedCheckIn = { checkinNumber: number; secretCode: string; cardNumber: string };

export type CheckInScript = {
  place: { itemId: string; name: string };
  cardNumber: string;
  /** How many cash desks try to redeem the check-in at once. */
  desks: number;
};

/** The wallet opens a check-in, the cash desk sees it, one desk redeems it, and it is gone. */
export async function checkInAct(actors: Actors, script: CheckInScript, report: Reporter): Promise<void> {
  const { partner, other } = actors;
  report.act('A card holder checks in, and the cash desk redeems the check-in');
  const { checkinNumber, secretCode } = await openCheckIn(actors, script, report);

  const listed = await listCheckIns(partner, script, report);
  report.tell('cash desk', `sees ${JSON.stringify(listed)}`);
  report.check('listed', listed, [{ secretCode, checkinNumber, cardNumber: script.cardNumber }]);

  if (other) {
    const foreign = await request(other, register, { checkinNumber });
    const answer = `${foreign.status} ${JSON.stringify(foreign.body)}`;
    report.tell('other', `another partner tries number ${checkinNumber}: ${answer}`);
    report.checkStatus('refused to another partner', foreign, 404);
  }
  await redeem(partner, { checkinNumber, desks: script.desks }, report);

  const left = await listCheckIns(partner, script, report);
  report.tell('cash desk', 'does not see it any more');
  report.check('gone from the list', left, []);
  report.sum('check-in', `opened, listed, redeemed once by 1 of ${script.desks} cash desks, gone`);
}

async function openCheckIn(
  { partner, wallet }: Actors,
  { place, cardNumber }: CheckInScript,
  report: Reporter,
): Promise<CheckIn> {
  const checkIn = { offerId: partner.offerId, placeId: place.itemId, cardNumber };
  const first = await request(wallet, 'POST /wallet/check-ins', checkIn);
  report.checkStatus('opened', first);
  const { checkinNumber, secretCode, expiresAt } = first.body as CheckIn;
  report.tell(
    'wallet',
    `opens check-in ${checkinNumber} at ${place.name}: code ${secretCode}, until ${expiresAt}`,
  );

  const again = await request(wallet, 'POST /wallet/check-ins', checkIn);
  report.tell('wallet', 'opens it again: the same check-in comes back');
  report.check('opened again, the same comes back', again.body, first.body);
  return first.body as CheckIn;
}

/** The check-ins of the script's card, as the cash desk sees them. */
async function listCheckIns(
  partner: Caller,
  { place, cardNumber }: CheckInScript,
  report: Reporter,
): Promise<ListedCheckIn[]> {
  const list = await request(partner, `GET /partner/api/place/${encodeURIComponent(place.itemId)}/checkins`);
  report.checkStatus('list requested', list);
  return (list.body as ListedCheckIn[]).filter((checkIn) => checkIn.cardNumber === cardNumber);
}

const register = 'POST /partner/api/checkin/register';

async function redeem(
  partner: Caller,
  { checkinNumber, desks }: { checkinNumber: number; desks: number },
  report: Reporter,
): Promise<void> {
  const replies = await Promise.all(
    Array.from({ length: desks }, () => request(partner, register, { checkinNumber })),
  );
  const statuses = replies.map(({ status }) => status).sort();
  report.tell('cash desks', `${desks} at once redeem it: ${statuses.join(', ')}`);
  report.check('redeemed once', statuses, [200, ...Array.from({ length: desks - 1 }, () => 409)]);

  const late = await request(partner, register, { checkinNumber });
  report.tell('cash desk', `one comes too late: ${late.status} ${JSON.stringify(late.body)}`);
  report.checkStatus('refused the second time', late, 409);
}
