import { checkInStore } from '../../shared/check-ins/check-in-store.ts';
import { placeStore } from '../../shared/places/place-store.ts';
import { syncSessionStore } from '../../shared/places/sync-session-store.ts';
import { promotionStore } from '../../shared/promotions/promotion-store.ts';
import { hours } from '../../shared/runtime/clock.ts';
import type { Table } from '../../shared/table/table.ts';
import { batchSize, offerId, partnerId, type Scene } from './scene.ts';

export function place(n: number) {
  return {
    itemId: `bar-${n}`,
    placeInfo: {
      name: `Кофейня № ${n}`,
      address: `Москва, Тверская улица, дом ${n}`,
      schedule: '10:00-22:00',
    },
  };
}

export function placesFor(count: number) {
  return async (table: Table) =>
    placeStore(table).apply(offerId, {
      put: Array.from({ length: count }, (_, n) => ({ place: place(n), hash: 'unchanged' })),
      remove: [],
    });
}

export async function openCheckIns(
  table: Table,
  count: number,
  placeOf: (n: number) => string,
): Promise<void> {
  const checkIns = checkInStore(table);
  const now = Date.now();
  for (let n = 0; n < count; n++) {
    const { checkinNumber } = await checkIns.nextNumber(offerId, 'shuffle-key');
    const secretCode = String(1_000 + n);
    const checkIn = { checkinNumber, secretCode, cardNumber: `card-${n}`, activeUntil: now + hours(2) };
    await checkIns.open(offerId, placeOf(n), checkIn, now);
  }
}

export function promotionsFor(count: number) {
  return async (table: Table) => {
    const promotions = promotionStore(table);
    for (let n = 0; n < count; n++) {
      await promotions.create(partnerId, {
        name: `Акция ${n}`,
        startsAt: { ms: Date.UTC(2026, 4, 1), offsetMinutes: 180 },
        imageWide: 'https://bars.example/wide.png',
        description: '<p>По будням до 18:00</p>',
        discount: '50 %',
        source: 'api',
      });
    }
  };
}

const sessionId = '7ddcb8d5-a230-4d11-b600-a1ab44b848c0';
const counts = { added: 500, updated: 0, unchanged: 0, removed: 0, rejected: 0 };

async function finishedSession(table: Table): Promise<void> {
  const sessions = syncSessionStore(table);
  await sessions.begin({ offerId, sessionId }, { received: 500, slices: 1, dryRun: false }, Date.now());
  await sessions.finishSlice({ offerId, sessionId }, 0, { counts, rejected: [] }, Date.now());
}

/** Only what is as short as in everyday use has a budget: with hundreds, the work itself is measured. */
function budgetUpTo(most: number, size: number) {
  return { size, hasBudget: size <= most };
}

function startSyncOf(size: number): Scene {
  return {
    what: `StartSync, ${size} places`,
    functionId: 'StartSync',
    ...budgetUpTo(2, size),
    request: () => ({ body: { places: Array.from({ length: size }, (_, n) => place(n)) } }),
    isRight: (response: { sessionId: string }) => response.sessionId.length === 36,
  };
}

function listCheckInsOf(size: number): Scene {
  return {
    what: `ListCheckIns, ${size} active`,
    functionId: 'ListCheckIns',
    ...budgetUpTo(5, size),
    seed: (table) => openCheckIns(table, size, () => 'bar-1'),
    isRight: (response: unknown[]) => response.length === size,
  };
}

function listPromotionsOf(functionId: string, pageSize = Number.POSITIVE_INFINITY) {
  return (size: number): Scene => ({
    what: `${functionId}, ${size}`,
    functionId,
    ...budgetUpTo(20, size),
    seed: promotionsFor(size),
    isRight: (response: object) =>
      JSON.stringify(response).split('Акция ').length - 1 === Math.min(size, pageSize),
  });
}

/** The functions that partners call, but for push messages. */
export const partnerScenes: readonly Scene[] = [
  {
    what: 'AuthorizePartner',
    functionId: 'AuthorizePartner',
    hasBudget: false,
    isRight: (response: { isAuthorized: boolean }) => response.isAuthorized,
  },
  {
    what: 'StartSync, 2 places',
    functionId: 'StartSync',
    hasBudget: true,
    size: 2,
    isRight: (response: { sessionId: string }) => response.sessionId.length === 36,
  },
  ...[50, 500].map(startSyncOf),
  {
    what: 'GetSync, finished',
    functionId: 'GetSync',
    hasBudget: true,
    seed: finishedSession,
    isRight: (response: { status: string; counts: { added: number } }) =>
      response.status === 'FINISHED' && response.counts.added === 500,
  },
  ...[5, 50, 500].map(listCheckInsOf),
  {
    what: 'RegisterCheckIn',
    functionId: 'RegisterCheckIn',
    hasBudget: true,
    seed: (table) => openCheckIns(table, batchSize, (n) => `bar-${n}`),
    request: (n) => ({ body: { checkinNumber: n + 1 } }),
    isRight: (response: { cardNumber: string }, n) => response.cardNumber === `card-${n}`,
  },
  {
    what: 'CreatePromotion',
    functionId: 'CreatePromotion',
    hasBudget: true,
    isRight: (response: { promoId: number }, n) => response.promoId === n + 1,
  },
  {
    what: 'UpdatePromotion',
    functionId: 'UpdatePromotion',
    hasBudget: true,
    seed: promotionsFor(1),
    isRight: (response: { promoId: number }) => response.promoId === 1,
  },
  {
    what: 'GetPromotion',
    functionId: 'GetPromotion',
    hasBudget: true,
    seed: promotionsFor(1),
    isRight: (response: { discount: string }) => response.discount === '50 %',
  },
  ...[2, 20, 200].map(listPromotionsOf('ListPromotions', 15)),
  ...[2, 20, 200].map(listPromotionsOf('ListActivePromotions')),
];
