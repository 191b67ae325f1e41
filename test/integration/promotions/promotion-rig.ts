import { createPromotion } from '../../../functions/promotions/create-promotion.ts';
import { getPromotion } from '../../../functions/promotions/get-promotion.ts';
import { listActivePromotions } from '../../../functions/promotions/list-active-promotions.ts';
import { listPromotions } from '../../../functions/promotions/list-promotions.ts';
import { listWalletPromotions } from '../../../functions/promotions/list-wallet-promotions.ts';
import { updatePromotion } from '../../../functions/promotions/update-promotion.ts';
import { promotionStore } from '../../../shared/promotions/promotion-store.ts';
import { fakeClock } from '../../support/clock.ts';
import { bars, call, type HttpResponse, type Request } from '../../support/http.ts';
import { requestDeps } from '../../support/request-deps.ts';
import { newTable } from '../../support/table.ts';
import { storeTwoPartners } from '../../support/two-partners.ts';

type Page = {
  metadata: { limit: number; offset: number; totalCount: number; activeOnly: boolean };
  items: { promoId: number; status: string }[];
};

/** Sets up the functions of area D and the wallet's list around one empty table, at noon (UTC) of 20 May 2026. */
export async function promotionRig() {
  const table = await newTable();
  const clock = fakeClock();
  const promotions = promotionStore(table);
  const deps = { ...requestDeps(table, clock), promotions };
  const handlers = {
    active: listActivePromotions(deps),
    list: listPromotions(deps),
    details: getPromotion(deps),
    create: createPromotion(deps),
    update: updatePromotion(deps),
    wallet: listWalletPromotions(deps),
  };
  await storeTwoPartners(table);
  table.units();

  const asBars = (handler: unknown, request: Request): Promise<HttpResponse> =>
    call(handler, { partner: bars, ...request });
  const create = (body: object, request: Request = {}) =>
    asBars(handlers.create, {
      body: { name: 'Happy hour', startDate: '2026-05-01T00:00:00+03', ...body },
      ...request,
    });
  const update = (body: object, request: Request = {}) => asBars(handlers.update, { body, ...request });
  const details = (promoId: number) => asBars(handlers.details, { query: { promoId: String(promoId) } });
  const list = (query: Record<string, string> = {}, request: Request = {}) =>
    asBars(handlers.list, { query, ...request });
  const active = (request: Request = {}) => asBars(handlers.active, request);
  const wallet = (offerId = 'bars-of-moscow', query: Record<string, string> = {}) =>
    call(handlers.wallet, { path: { offerId }, query });
  return {
    table,
    clock,
    promotions,
    create,
    update,
    details,
    list,
    page: async (query: Record<string, string> = {}) => (await list(query)).body as Page,
    active,
    wallet,
  };
}

export const everything = {
  name: 'Two for one',
  startDate: '2026-05-20T15:00:00+0300',
  endDate: '2026-05-20T18:00:00+03:00',
  images: { imageWide: 'https://bars.example/wide.png', imageSquare: 'http://bars.example/square.png' },
  description: '<p onclick="x()">Draught <b>beer</b></p><script>alert(1)</script>',
  discount: '50 %',
};

export const followsFromDates = 'status: follows from the dates, set startDate and endDate instead';
