import { createPromotionOperation } from '../../../functions/promotions/create-promotion.ts';
import { getPromotionOperation } from '../../../functions/promotions/get-promotion.ts';
import { listActivePromotionsOperation } from '../../../functions/promotions/list-active-promotions.ts';
import { listPromotionsOperation } from '../../../functions/promotions/list-promotions.ts';
import { listWalletPromotionsOperation } from '../../../functions/promotions/list-wallet-promotions.ts';
import { updatePromotionOperation } from '../../../functions/promotions/update-promotion.ts';
import { manyPromotions, moreForMany } from '../../../shared/promotions/promotion.ts';
import type { Documented } from '../documented.ts';

const exampleItem = {
  promoId: 17,
  name: 'Два по цене одного',
  startDate: '2026-05-01T00:00:00+03',
  endDate: '2026-09-01T00:00:00+03',
  status: 'active',
};
const exampleContent = {
  images: {
    imageWide: 'https://bars.example/promos/17-wide.png',
    imageSquare: 'https://bars.example/promos/17-square.png',
  },
  description: '<p>На всё <b>разливное</b> пиво, каждый день до 18:00</p>',
  discount: '50 %',
};
const exampleDetails = { ...exampleItem, ...exampleContent, source: 'api' };

const countedAs = `Counts as ${1 + moreForMany} requests if the account has more than ${manyPromotions} promotions.`;

export const promotionOperations = [
  {
    operation: listActivePromotionsOperation,
    tag: 'Promotions',
    summary: 'List the active promotions',
    description:
      'Newest start first. Each `id` opens the promotion from a push message. When none is active the ' +
      `response is 404 with an empty body. ${countedAs}`,
    responseExample: { promos: [{ id: 17, name: 'Два по цене одного', active: true }] },
  },
  {
    operation: listPromotionsOperation,
    tag: 'Promotions',
    summary: 'List all promotions, page by page',
    description:
      'Newest start first; of those that start together the one created last. `status` follows from the ' +
      'dates at the moment of the response: planned before the start, active from the start on, completed ' +
      `from the end on. Past the last page \`items\` is empty. ${countedAs}`,
    responseExample: {
      metadata: { limit: 15, offset: 0, totalCount: 1, activeOnly: false },
      items: [exampleItem],
    },
  },
  {
    operation: getPromotionOperation,
    tag: 'Promotions',
    summary: 'Read one promotion',
    description:
      'Dates have the offset in which they were sent, to the second. `images`, `description` and ' +
      '`discount` are always present, empty when nothing was sent.',
    responseExample: exampleDetails,
  },
  {
    operation: createPromotionOperation,
    tag: 'Promotions',
    summary: 'Create a promotion',
    description:
      'Dates are ISO 8601 with an offset (+03, +0300, +03:00 or Z). The description keeps text, lists, ' +
      'tables, links and images; scripts, styles, event handlers and addresses that are not http, https, ' +
      'mailto or tel are removed. Send an `Idempotency-Key`, so that a request whose response was lost can ' +
      'be repeated.',
    requestExample: {
      name: exampleItem.name,
      startDate: exampleItem.startDate,
      endDate: exampleItem.endDate,
      ...exampleContent,
    },
    responseExample: { promoId: 17, status: 'active' },
  },
  {
    operation: updatePromotionOperation,
    tag: 'Promotions',
    summary: 'Change fields of a promotion',
    description:
      'Changes only the fields that are sent, so concurrent updates of different fields all take effect. ' +
      '`null` removes `endDate` or an image. A single date must fit the other one that is stored.',
    requestExample: { promoId: 17, endDate: '2026-10-01T00:00:00+03', discount: '30 %' },
    responseExample: { promoId: 17, status: 'active' },
  },
  {
    operation: listWalletPromotionsOperation,
    tag: 'Wallet',
    summary: 'List the active promotions of the partner behind an offer',
    description: 'In full, newest start first, in pages. The last page has no `cursor`.',
    responseExample: {
      promos: [exampleDetails],
      cursor:
        'WyJwcm9tb3Rpb25zIix7InN0YXJ0c0F0Ijp7Im1zIjoxNzc3NTgyODAwMDAwLCJvZmZzZXRNaW51dGVzIjoxODB9LCJwcm9tb0lkIjoxN31d',
    },
  },
] satisfies readonly Documented[];
