import { describe, expect, test } from 'vitest';
import { bakery, refusal } from '../../support/http.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { everything, promotionRig } from './promotion-rig.ts';

const rig = inEachTest(promotionRig);

describe("the wallet's list of promotions", () => {
  test('has the details of the active ones, newest start first', async () => {
    await rig.create(everything);
    await rig.create({ startDate: '2026-06-01T00:00:00+03' });
    await rig.create({ name: 'Second' });
    await rig.create({ name: 'Bread' }, { partner: bakery });
    expect(await rig.wallet()).toMatchObject({
      status: 200,
      body: {
        promos: [
          {
            promoId: 1,
            description: '<p>Draught <b>beer</b></p>',
            discount: '50 %',
            status: 'active',
            source: 'api',
          },
          { promoId: 3, name: 'Second', endDate: null, images: {} },
        ],
      },
    });
    expect((await rig.wallet('bakery-club')).body).toMatchObject({ promos: [{ promoId: 1, name: 'Bread' }] });
  });

  test('comes page by page', async () => {
    for (const day of ['03', '01', '02', '02']) await rig.create({ startDate: `2026-05-${day}T00:00:00Z` });
    const ids = (body: unknown) =>
      (body as { promos: { promoId: number }[] }).promos.map(({ promoId }) => promoId);
    const first = await rig.wallet('bars-of-moscow', { limit: '2' });
    expect(ids(first.body)).toEqual([1, 4]);
    const { cursor = '' } = first.body as { cursor?: string };
    const second = await rig.wallet('bars-of-moscow', { limit: '2', cursor });
    expect(ids(second.body)).toEqual([3, 2]);
    expect(second.body).not.toHaveProperty('cursor');
  });

  test('of the largest 50 stays under the 6 MiB of a response', async () => {
    const largest = {
      name: '"'.repeat(255),
      images: {
        imageWide: `https://bars.example/${'ж'.repeat(2_027)}`,
        imageSquare: `https://bars.example/${'ж'.repeat(2_027)}`,
      },
      description: '&'.repeat(10_000),
      discount: '\u0001'.repeat(255),
    };
    for (let count = 0; count < 51; count++) await rig.create(largest);
    const { body } = await rig.wallet();
    expect((body as { promos: unknown[] }).promos).toHaveLength(50);
    expect(body).toHaveProperty('cursor');
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(4_000_000);
  });

  test('is empty when none is active, and 404 when there is no such offer', async () => {
    expect(await rig.wallet()).toMatchObject({ status: 200, body: { promos: [] } });
    expect(await rig.wallet('nobody')).toMatchObject(
      refusal(404, 'OFFER_NOT_FOUND', 'offerId: nobody is not a loyalty program of this service'),
    );
  });
});
