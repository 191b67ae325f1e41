import { expect, test } from 'vitest';
import { bars, call } from '../../support/http.ts';
import { checkInRig } from '../check-ins/check-in-rig.ts';

async function rig() {
  const { handlers, open, list } = await checkInRig();
  const openOwn = (placeId: string, offerId = 'bars-of-moscow', partner = bars) =>
    call(handlers.openOwn, { partner, body: { offerId, placeId, cardNumber: '9643907500000012' } });
  return { open, list, openOwn };
}

test('rule 39: a card checks in as the wallet platform would check it in: at most once at a place', async () => {
  const { open, list, openOwn } = await rig();
  const opened = await openOwn('p1');
  expect(opened).toMatchObject({ status: 200, body: { checkinNumber: 1 } });
  expect((await open('9643907500000012')).body).toEqual(opened.body);
  expect((await list()).body).toMatchObject([{ checkinNumber: 1, cardNumber: '9643907500000012' }]);
});

test("another partner's offer and one that nobody has are refused alike, an unknown place is not found", async () => {
  const { openOwn } = await rig();
  const forbidden = { status: 403, body: { status: 'OFFER_FORBIDDEN' } };
  expect(await openOwn('p1', 'bakery-club')).toMatchObject(forbidden);
  expect(await openOwn('p1', 'nobodys-club')).toMatchObject(forbidden);
  expect(await openOwn('p9')).toMatchObject({ status: 404, body: { status: 'PLACE_NOT_FOUND' } });
});
