import { writeAll } from '../../../shared/platform/table/batches.ts';
import { promotionItemKey, promotionKey } from '../../../shared/platform/table/row-keys/promotions.ts';
import { maxPromotions } from '../../../shared/promotions/promotion.ts';
import { promotionStore } from '../../../shared/promotions/promotion-store.ts';
import { after, type CostCases, count, once, padded, worst } from './cost-case.ts';
import { by, offerId, storePartner } from './cost-partner.ts';

const shownInFull = 50;
const startsAt = { ms: Date.UTC(2020, 0), offsetMinutes: 180 };
/** Each character is stored as four bytes. */
const name = '😀'.repeat(255);
/** Each character is stored as five. */
const longest = { description: '&'.repeat(10_000), images: images() };
/** Elements in each other, each of which is looked for among those that are open. */
const deepest = { description: `${'<b>'.repeat(1_400)}${'</i>'.repeat(1_400)}`, images: images() };

function images() {
  const url = `https://bars.example/${'ж'.repeat(2_027)}`;
  return { imageWide: url, imageSquare: url };
}

/** The newest are as large as can be. */
const all = once(async (table) => {
  const { imageWide, imageSquare } = images();
  await writeAll(
    table,
    count(maxPromotions).flatMap((n) => {
      const promoId = n + 1;
      const listed = { promoId, name, startsAt };
      const isShown = n >= maxPromotions - shownInFull;
      const content = {
        description: '&amp;'.repeat(isShown ? 10_000 : 1),
        discount: '\u0001'.repeat(255),
        source: 'api',
      };
      return [
        { put: { ...promotionItemKey('bars', promoId), ...listed } },
        { put: { ...promotionKey('bars', promoId), ...listed, ...content, imageWide, imageSquare } },
      ];
    }),
  );
});

/** Another partner has one promotion, so that those of the first have numbers that nothing has counted. */
const updated = once(async (table) => {
  await storePartner(table, 'updater');
  const nothing = { endsAt: undefined, description: '', discount: '', source: 'api' as const };
  return promotionStore(table).create('updater', { name, startsAt, ...nothing }, { atMs: startsAt.ms });
});

const fields = { name, startDate: '2020-01-01T00:00:00+03', discount: '\u0001'.repeat(255) };

export const promotionCosts: CostCases = {
  ListActivePromotions: [
    worst(
      'as many promotions as a partner may have, all active',
      { read: 269, write: 1, requests: 9 },
      after(all),
    ),
  ],
  ListPromotions: [
    worst(
      'a page of 100 behind all others',
      { read: 269, write: 1, requests: 9 },
      after(all, { query: { limit: '100', offset: String(maxPromotions - 100), activeOnly: 'true' } }),
    ),
  ],
  GetPromotion: [
    worst('the longest description', { read: 15 }, after(all, { query: { promoId: String(maxPromotions) } })),
  ],
  CreatePromotion: [
    worst(
      'a description that is longest as it is stored',
      { read: 2, write: 128 },
      after(updated, { ...by('updater'), body: padded({ ...fields, ...longest }) }),
    ),
    worst(
      'a description of elements in each other',
      { read: 2, write: 48 },
      after(updated, { ...by('updater'), body: padded({ ...fields, ...deepest }) }),
    ),
  ],
  UpdatePromotion: [
    worst(
      'all fields of a promotion with the longest description',
      { read: 3, write: 127 },
      async (table) => ({
        ...by('updater'),
        body: padded({ promoId: await updated(table), ...fields, ...longest }),
      }),
    ),
  ],
  ListWalletPromotions: [
    worst(
      'a page of 50 promotions with the longest descriptions, of as many as a partner may have',
      { read: 644.5 },
      after(all, { path: { offerId } }),
    ),
  ],
};
