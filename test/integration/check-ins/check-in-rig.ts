import { listCheckIns } from '../../../functions/check-ins/list-check-ins.ts';
import { openCheckIn } from '../../../functions/check-ins/open-check-in.ts';
import { registerCheckIn } from '../../../functions/check-ins/register-check-in.ts';
import { listWalletPlaces } from '../../../functions/places/list-wallet-places.ts';
import { openSandboxCheckIn } from '../../../functions/sandbox/open-sandbox-check-in.ts';
import { checkInStore } from '../../../shared/check-ins/check-in.ts';
import { partnerAdminStore } from '../../../shared/partners/partner-admin-store.ts';
import { placeStore, storedPlace } from '../../../shared/places/place.ts';
import { fakeClock } from '../../support/clock.ts';
import { call, forBars, type HttpResponse, type Request } from '../../support/http.ts';
import { fakeIds } from '../../support/ids.ts';
import { requestDeps } from '../../support/request-deps.ts';
import { newTable } from '../../support/table.ts';
import { storeTwoPartners } from '../../support/two-partners.ts';

export type Ticket = { checkinNumber: number; secretCode: string; expiresAt: string };

/** Sets up the functions of area B and of the wallet around one table with service points of two offers. */
export async function checkInRig() {
  const table = await newTable();
  const clock = fakeClock();
  const places = placeStore(table);
  const checkIns = checkInStore(table);
  const deps = { ...requestDeps(table, clock), places, checkIns, ids: fakeIds() };
  const handlers = {
    open: openCheckIn(deps),
    openOwn: openSandboxCheckIn(deps),
    list: listCheckIns(deps),
    register: registerCheckIn(deps),
    places: listWalletPlaces(deps),
  };
  await storeTwoPartners(table);
  await partnerAdminStore(table).setCheckInLifetime('bakery-club', 'bakery', 60_000);
  for (const [offerId, itemId] of [
    ['bars-of-moscow', 'p1'],
    ['bars-of-moscow', 'p2'],
    ['bakery-club', 'p1'],
  ] as const) {
    await places.apply(offerId, { put: [storedPlace({ itemId, placeInfo: { address: 'x' } })], remove: [] });
  }
  table.units();

  const open = (cardNumber: string, placeId = 'p1', offerId = 'bars-of-moscow', request: Request = {}) =>
    call(handlers.open, { body: { offerId, placeId, cardNumber }, ...request });
  const opened = async (cardNumber: string, placeId = 'p1', offerId = 'bars-of-moscow'): Promise<Ticket> =>
    (await open(cardNumber, placeId, offerId)).body as Ticket;
  const list = (placeId = 'p1', request: Request = {}): Promise<HttpResponse> =>
    call(handlers.list, { ...forBars, rawPath: `/partner/api/place/${placeId}/checkins`, ...request });
  const register = (checkinNumber: unknown, request: Request = {}): Promise<HttpResponse> =>
    call(handlers.register, { ...forBars, body: { checkinNumber }, ...request });
  return { table, clock, places, checkIns, handlers, deps, open, opened, list, register };
}
