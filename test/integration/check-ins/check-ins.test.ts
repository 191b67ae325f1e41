import { describe, expect, test } from 'vitest';
import { checkInCounterKey } from '../../../shared/platform/table/row-keys/check-ins.ts';
import { putRow } from '../../../shared/platform/table/rows.ts';
import { bars, call, refusal } from '../../support/http.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { checkInRig } from './check-in-rig.ts';

const rig = inEachTest(checkInRig);

const twoHours = 2 * 3_600_000;

describe('rule 14: opening a check-in', () => {
  test('returns a number, which counts up per offer, a secret code of 4 digits, and the end agreed for the offer', async () => {
    const secretCode = expect.stringMatching(/^\d{4}$/);
    expect(await rig.open('card-1')).toMatchObject({
      status: 200,
      body: { checkinNumber: 1, secretCode, expiresAt: '2026-05-20T14:00:00.000Z' },
    });
    expect((await rig.opened('card-2', 'p2')).checkinNumber).toBe(2);
    const ofBakery = { checkinNumber: 1, expiresAt: '2026-05-20T12:01:00.000Z' };
    expect(await rig.opened('card-1', 'p1', 'bakery-club')).toMatchObject(ofBakery);
  });

  test('again for the same card and place returns the same check-in and writes nothing', async () => {
    const first = await rig.opened('card-1');
    rig.table.units();
    expect(await rig.opened('card-1')).toEqual(first);
    expect(rig.table.units().write).toBe(0);
    expect((await rig.opened('card-1', 'p2')).checkinNumber).toBe(2);
  });

  test('20 times at once for one card leaves one check-in, and every response names it', async () => {
    const tickets = await Promise.all(Array.from({ length: 20 }, () => rig.opened('card-1')));
    const { body } = await rig.list();
    expect(body).toHaveLength(1);
    expect(new Set(tickets.map(({ checkinNumber }) => checkinNumber))).toEqual(
      new Set([(body as { checkinNumber: number }[])[0]?.checkinNumber]),
    );
  });

  test('rule 15: gives 60 cards at once 60 different codes', async () => {
    const tickets = await Promise.all(Array.from({ length: 60 }, (_, n) => rig.opened(`card-${n}`)));
    expect(new Set(tickets.map(({ secretCode }) => secretCode)).size).toBe(60);
  });

  test.each([
    ['an unknown place', ['card-1', 'p9', 'bars-of-moscow'], 404, 'PLACE_NOT_FOUND'],
    ['an unknown offer', ['card-1', 'p1', 'nobody'], 404, 'OFFER_NOT_FOUND'],
  ] as const)('at %s is refused', async (_what, [card, place, offer], status, code) => {
    expect(await rig.open(card, place, offer)).toMatchObject({ status, body: { status: code } });
  });
});

test('the list of active check-ins shows code, number and card of each, oldest first', async () => {
  const one = await rig.opened('card-2');
  const two = await rig.opened('card-1');
  await rig.opened('card-3', 'p2');
  expect(await rig.list()).toMatchObject({
    status: 200,
    body: [
      { secretCode: one.secretCode, checkinNumber: 1, cardNumber: 'card-2' },
      { secretCode: two.secretCode, checkinNumber: 2, cardNumber: 'card-1' },
    ],
  });
});

test('the list of active check-ins is empty at a place without check-ins, and 404 at a place that does not exist', async () => {
  expect(await rig.list()).toMatchObject({ status: 200, body: [] });
  expect(await rig.list('p9')).toMatchObject(
    refusal(404, 'PLACE_NOT_FOUND', 'placeId: p9 is not a service point of this offer'),
  );
});

test('rule 14: a check-in is active to the last millisecond of its 2 hours and gone at the next', async () => {
  await rig.opened('card-1');
  await rig.opened('card-2');
  rig.clock.advance(twoHours - 1);
  expect((await rig.list()).body).toHaveLength(2);
  expect((await rig.register(1)).status).toBe(200);
  rig.clock.advance(1);
  expect((await rig.list()).body).toEqual([]);
  expect(await rig.register(2)).toMatchObject({ status: 409, body: { status: 'CHECKIN_NOT_ACTIVE' } });
});

test('rule 14: a check-in that expired gives way to a new one of the same card', async () => {
  await rig.opened('card-1');
  rig.clock.advance(twoHours);
  expect((await rig.opened('card-1')).checkinNumber).toBe(2);
  expect((await rig.list()).body).toMatchObject([{ checkinNumber: 2 }]);
});

test('rule 14: a check-in is forgotten 30 days after it ended', async () => {
  await rig.opened('card-1');
  rig.clock.advance(twoHours + 30 * 86_400_000 - 1);
  expect((await rig.register(1)).status).toBe(409);
  rig.clock.advance(1);
  expect((await rig.register(1)).status).toBe(404);
});

/** Codes repeat after 10,000 numbers. */
function countedTo10000() {
  return putRow(rig.table, { ...checkInCounterKey('bars-of-moscow'), lastNumber: 10_000 });
}

test('rule 15: a secret code that is taken at the place is not dealt again: the next number is', async () => {
  // The code repeats after 10,000 numbers, and the check-in that got it first is still active at this place.
  const first = await rig.opened('card-1');
  await countedTo10000();
  const second = await rig.opened('card-2');
  expect(second.checkinNumber).toBe(10_002);
  expect(second.secretCode).not.toBe(first.secretCode);
});

test('rule 15: a secret code freed by use may be dealt again, and the old number cannot use the new check-in up', async () => {
  const first = await rig.opened('card-1');
  await rig.register(1);
  await countedTo10000();
  const second = await rig.opened('card-2');
  expect(second).toMatchObject({ checkinNumber: 10_001, secretCode: first.secretCode });
  expect((await rig.register(1)).status).toBe(409);
  expect((await rig.list()).body).toMatchObject([{ checkinNumber: 10_001 }]);
});

test("the wallet's list of service points comes page by page in the order of itemIds", async () => {
  const page = (query: Record<string, string>) =>
    call(rig.handlers.places, { path: { offerId: 'bars-of-moscow' }, query });
  const first = await page({ limit: '1' });
  expect(first).toMatchObject({
    status: 200,
    body: { places: [{ itemId: 'p1', placeInfo: { address: 'x' } }] },
  });
  const { cursor } = first.body as { cursor: string };
  const second = await page({ limit: '500', cursor });
  expect(second.body).toEqual({ places: [{ itemId: 'p2', placeInfo: { address: 'x' } }] });
  expect((await page({})).body).toMatchObject({ places: [{ itemId: 'p1' }, { itemId: 'p2' }] });
});

/** Checks a card in as a partner does in the sandbox. */
function openOwn(placeId: string, offerId = 'bars-of-moscow', cardNumber = '9643907500000012') {
  return call(rig.handlers.openOwn, { partner: bars, body: { offerId, placeId, cardNumber } });
}

test("another partner's offer and one that nobody has are refused alike, an unknown place is not found", async () => {
  for (const offerId of ['bakery-club', 'nobodys-club'])
    expect(await openOwn('p1', offerId)).toMatchObject(refusal(403, 'OFFER_FORBIDDEN'));
  expect(await openOwn('p9')).toMatchObject(refusal(404, 'PLACE_NOT_FOUND'));
});

test('rule 39: the 201st check-in of a place is PLACE_FULL, because a cash desk reads them all; a card that is there gets its own', async () => {
  for (let n = 0; n < 199; n++) await rig.open(`96439075${String(n).padStart(8, '0')}`);
  const own = await openOwn('p1');
  await rig.open('1234567890123456');
  expect(await openOwn('p1')).toMatchObject({ status: 200, body: own.body as object });
  expect(await openOwn('p1', 'bars-of-moscow', '6543210987654321')).toMatchObject({
    ...refusal(503, 'PLACE_FULL'),
    headers: { 'retry-after': '60' },
  });
});
