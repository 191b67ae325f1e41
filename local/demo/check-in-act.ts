import { moscowBars } from '../data/moscow-bars.ts';
import { request, type Speaker } from './client.ts';
import type { Narrator } from './narrator.ts';

type Ticket = { checkinNumber: number; secretCode: string; expiresAt: string };

export type Cast = { partner: Speaker; other: Speaker; wallet: Speaker };

/** Area B: a check-in is opened by the wallet, seen by the cash desk, used up once, and gone. */
export const checkInAct = async ({ partner, other, wallet }: Cast, say: Narrator): Promise<void> => {
  say.act('B. A card holder checks in, the cash desk uses the check-in up');
  const bar = moscowBars()[100];
  const placeId = bar?.itemId ?? '';
  const list = `GET /partner/api/place/${placeId}/checkins`;
  const cardNumber = `demo-${Date.now()}`;

  const opened = await request(wallet, 'POST /wallet/check-ins', {
    offerId: partner.offerId,
    placeId,
    cardNumber,
  });
  const { checkinNumber, secretCode, expiresAt } = opened.body as Ticket;
  say.tell(
    'wallet',
    `opens check-in ${checkinNumber} at ${bar?.placeInfo.name}: code ${secretCode}, until ${expiresAt}`,
  );
  say.expect('opened', opened.status, 200);

  const again = await request(wallet, 'POST /wallet/check-ins', {
    offerId: partner.offerId,
    placeId,
    cardNumber,
  });
  say.tell('wallet', 'opens it again: the same check-in comes back');
  say.expect('opened again', again.body, opened.body);

  const seen = await request(partner, list);
  const own = (seen.body as { cardNumber: string }[]).filter((checkIn) => checkIn.cardNumber === cardNumber);
  say.tell('cash desk', `sees ${JSON.stringify(own)}`);
  say.expect('listed', own, [{ secretCode, checkinNumber, cardNumber }]);

  const foreign = await request(other, 'POST /partner/api/checkin/register', { checkinNumber });
  say.tell(
    'other',
    `another partner tries number ${checkinNumber}: ${foreign.status} ${JSON.stringify(foreign.body)}`,
  );
  say.expect('foreign', foreign.status, 404);

  const desks = await Promise.all(
    Array.from({ length: 5 }, () =>
      request(partner, 'POST /partner/api/checkin/register', { checkinNumber }),
    ),
  );
  const statuses = desks.map(({ status }) => status).sort();
  say.tell('cash desks', `five use it at once: ${statuses.join(', ')}`);
  say.expect('used once', statuses, [200, 409, 409, 409, 409]);

  const after = await request(partner, list);
  const left = (after.body as { cardNumber: string }[]).filter(
    (checkIn) => checkIn.cardNumber === cardNumber,
  );
  say.tell('cash desk', `sees it no more`);
  say.expect('gone', left, []);
  say.sum('check-in', `opened, listed, used once by 1 of 5 cash desks, gone`);
};
