import { request, type Speaker } from './client.ts';
import { expectStatus, type Narrator } from './narrator.ts';

type Ticket = { checkinNumber: number; secretCode: string; expiresAt: string };
type Listed = { checkinNumber: number; secretCode: string; cardNumber: string };

/** `other` is another partner, who tries to use up what is not its own. */
export type Cast = { partner: Speaker; wallet: Speaker; other?: Speaker };

export type CheckInScript = {
  title: string;
  place: { itemId: string; name: string };
  cardNumber: string;
  /** How many cash desks try to use the check-in up at once. */
  desks: number;
};

/** Area B: a check-in is opened by the wallet, seen by the cash desk, used up once, and gone. */
export async function checkInAct(
  { partner, wallet, other }: Cast,
  script: CheckInScript,
  say: Narrator,
): Promise<void> {
  say.act(script.title);
  const ticket = await opened({ partner, wallet }, script, say);
  const { checkinNumber, secretCode } = ticket;

  const seen = await listed(partner, script, say);
  say.tell('cash desk', `sees ${JSON.stringify(seen)}`);
  say.expect('listed', seen, [{ secretCode, checkinNumber, cardNumber: script.cardNumber }]);

  if (other) await triedBy(other, checkinNumber, say);
  await usedUp(partner, checkinNumber, script.desks, say);

  const left = await listed(partner, script, say);
  say.tell('cash desk', 'sees it no more');
  say.expect('gone from the list', left, []);
  say.sum('check-in', `opened, listed, used once by 1 of ${script.desks} cash desks, gone`);
}

async function opened({ partner, wallet }: Cast, script: CheckInScript, say: Narrator): Promise<Ticket> {
  const { place, cardNumber } = script;
  const wish = { offerId: partner.offerId, placeId: place.itemId, cardNumber };
  const first = await request(wallet, 'POST /wallet/check-ins', wish);
  expectStatus(say, 'opened', first);
  const { checkinNumber, secretCode, expiresAt } = first.body as Ticket;
  say.tell(
    'wallet',
    `opens check-in ${checkinNumber} at ${place.name}: code ${secretCode}, until ${expiresAt}`,
  );

  const again = await request(wallet, 'POST /wallet/check-ins', wish);
  say.tell('wallet', 'opens it again: the same check-in comes back');
  say.expect('opened again, the same comes back', again.body, first.body);
  return first.body as Ticket;
}

/** The check-ins of the script's card, as the cash desk sees them. */
async function listed(partner: Speaker, { place, cardNumber }: CheckInScript, say: Narrator) {
  const list = await request(partner, `GET /partner/api/place/${encodeURIComponent(place.itemId)}/checkins`);
  expectStatus(say, 'asked for the list', list);
  return (list.body as Listed[]).filter((checkIn) => checkIn.cardNumber === cardNumber);
}

const register = 'POST /partner/api/checkin/register';

async function triedBy(other: Speaker, checkinNumber: number, say: Narrator): Promise<void> {
  const foreign = await request(other, register, { checkinNumber });
  say.tell(
    'other',
    `another partner tries number ${checkinNumber}: ${foreign.status} ${JSON.stringify(foreign.body)}`,
  );
  expectStatus(say, 'refused to another partner', foreign, 404);
}

async function usedUp(partner: Speaker, checkinNumber: number, desks: number, say: Narrator): Promise<void> {
  const responses = await Promise.all(
    Array.from({ length: desks }, () => request(partner, register, { checkinNumber })),
  );
  const statuses = responses.map(({ status }) => status).sort();
  say.tell('cash desks', `${desks} at once use it: ${statuses.join(', ')}`);
  say.expect('used once', statuses, [200, ...Array.from({ length: desks - 1 }, () => 409)]);

  const late = await request(partner, register, { checkinNumber });
  say.tell('cash desk', `one comes too late: ${late.status} ${JSON.stringify(late.body)}`);
  expectStatus(say, 'refused the second time', late, 409);
}
