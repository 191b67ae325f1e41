import { expect, test } from 'vitest';
import { bars, call } from '../../support/http.ts';
import { checkInRig } from '../check-ins/check-in-rig.ts';

async function rig() {
  const { handlers, open, list } = await checkInRig();
  const openOwn = (
    placeId: string,
    offerId = 'bars-of-moscow',
    partner = bars,
    cardNumber = '9643907500000012',
  ) => call(handlers.openOwn, { partner, body: { offerId, placeId, cardNumber } });
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

test('the 201st check-in of a place is PLACE_FULL, because a cash desk reads them all; a card that is there gets its own', async () => {
  const { open, openOwn } = await rig();
  for (let n = 0; n < 199; n++) await open(`96439075${String(n).padStart(8, '0')}`);
  const own = await openOwn('p1');
  await open('1234567890123456');
  expect(await openOwn('p1')).toMatchObject({ status: 200, body: own.body as object });
  expect(await openOwn('p1', 'bars-of-moscow', bars, '6543210987654321')).toMatchObject({
    status: 503,
    headers: { 'retry-after': '60' },
    body: { status: 'PLACE_FULL' },
  });
});
