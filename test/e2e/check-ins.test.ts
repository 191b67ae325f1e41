import { afterAll, beforeAll, expect, test } from 'vitest';
import { request } from '../../ops/scenario/client.ts';
import { finishedSession } from '../support/service.ts';
import { type RunningTests, realTime, sharedService } from '../support/shared-service.ts';

let service: RunningTests;
beforeAll(async () => {
  service = await sharedService(realTime);
  const places = [{ itemId: 'бар №1/а', placeInfo: { address: 'Арбат, 1' } }];
  await finishedSession(service.partner, await request(service.partner, 'POST /places/sync', { places }));
});
afterAll(() => service.stop());

// An itemId may contain any character, so it is percent-encoded in a path.
const list = `GET /partner/api/place/${encodeURIComponent('бар №1/а')}/checkins`;

function open(cardNumber: string) {
  return request(service.wallet, 'POST /wallet/check-ins', {
    offerId: service.partner.offerId,
    placeId: 'бар №1/а',
    cardNumber,
  });
}

test('rule 16: a check-in is opened, listed, redeemed by one of 50 cash desks, and gone', async () => {
  const opened = await open('card-1');
  const { checkinNumber, secretCode } = opened.body as { checkinNumber: number; secretCode: string };
  expect(await request(service.partner, list)).toMatchObject({
    status: 200,
    body: [{ checkinNumber, secretCode, cardNumber: 'card-1' }],
  });
  const responses = await Promise.all(
    Array.from({ length: 50 }, () =>
      request(service.partner, 'POST /partner/api/checkin/register', { checkinNumber }),
    ),
  );
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(responses.filter(({ status }) => status === 409)).toHaveLength(49);
  expect(await request(service.partner, list)).toMatchObject({ status: 200, body: [] });
});

test('every answer is documented: unknown routes are 404 as the gateway says it, and name a slash too many', async () => {
  expect(await request(service.partner, 'GET /partner/api/nothing/')).toMatchObject({
    status: 404,
    body: { message: 'Not Found: ask for /partner/api/nothing without the slash at its end' },
  });
  expect(await request(service.partner, 'GET /partner/api/nothing')).toMatchObject({
    status: 404,
    body: { message: 'Not Found' },
  });
});
