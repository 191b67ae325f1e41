import { message, phones } from '../flows/sending.ts';
import { batchSize, type Scene } from './scene.ts';
import * as seeds from './seeds.ts';

/** Checks that a response has these members, among others. */
function has(membersOf: (n: number) => Record<string, unknown>): Scene['isRight'] {
  return (response: Record<string, unknown>, n) =>
    Object.entries(membersOf(n)).every(([name, value]) => response[name] === value);
}

/** The same scene at each length of a list, with `#` for the length. */
function sized(
  what: string,
  sizes: readonly number[],
  sceneOf: (size: number) => Omit<Scene, 'what'>,
): Scene[] {
  return sizes.map((size) => ({ what: what.replace('#', String(size)), ...sceneOf(size) }));
}

/** A response shows at most `pageSize` promotions. */
function promotionList(pageSize = Number.POSITIVE_INFINITY) {
  return (size: number) => ({
    seed: seeds.promotions(size),
    isRight: (response: object) =>
      JSON.stringify(response).split('Акция ').length - 1 === Math.min(size, pageSize),
  });
}

function areEnqueued(size: number) {
  return (response: { state: string }[]) =>
    response.length === size && response.every(({ state }) => state === 'ENQUEUED');
}

/**
 * The authorizer, and the 17 endpoints that programs call every day: for lists, check-ins, promotions and messages, and
 * those of the wallet platform. What people call, such as the settings of callbacks, has no scene, and nor have long
 * lists, whose processor time test/integration/costs limits.
 */
export const scenes: readonly Scene[] = [
  { what: 'AuthorizePartner', isRight: has(() => ({ isAuthorized: true })) },
  {
    what: 'StartSync, 2 places',
    body: () => ({ places: [seeds.place(0), seeds.place(1)] }),
    isRight: (response: { sessionId: string }) => response.sessionId.length === 36,
  },
  {
    what: 'GetSync, finished',
    seed: seeds.finishedSession,
    isRight: (response: { status: string; counts: { added: number } }) =>
      response.status === 'FINISHED' && response.counts.added === 500,
  },
  {
    what: 'ListCheckIns, 5 active',
    seed: seeds.openCheckIns(5, () => 'bar-1'),
    isRight: (response: unknown[]) => response.length === 5,
  },
  {
    what: 'RegisterCheckIn',
    seed: seeds.openCheckIns(batchSize, (n) => `bar-${n}`),
    body: (n) => ({ checkinNumber: n + 1 }),
    isRight: has((n) => ({ cardNumber: `card-${n}` })),
  },
  { what: 'CreatePromotion', isRight: has((n) => ({ promoId: n + 1 })) },
  { what: 'UpdatePromotion', seed: seeds.promotions(1), isRight: has(() => ({ promoId: 1 })) },
  { what: 'GetPromotion', seed: seeds.promotions(1), isRight: has(() => ({ discount: '50 %' })) },
  ...sized('ListPromotions, #', [2, 20], promotionList(15)),
  ...sized('ListActivePromotions, #', [2, 20], promotionList()),
  { what: 'SendMessage', seed: seeds.recipients(1), isRight: has(() => ({ state: 'ENQUEUED' })) },
  {
    what: 'SendBulk, 2 recipients',
    seed: seeds.recipients(2),
    body: () => ({ ...message, msisdn: phones(2) }),
    isRight: areEnqueued(2),
  },
  ...sized('SendMulti, # messages', [2, 20], (size) => ({
    seed: seeds.recipients(size),
    body: () => phones(size).map((msisdn) => ({ ...message, msisdn })),
    isRight: areEnqueued(size),
  })),
  {
    what: 'GetDeliveryHistory, 3 states',
    seed: seeds.openedMessage,
    isRight: (response: { states: { state: string }[] }) =>
      response.states.map(({ state }) => state).join() === 'ENQUEUED,DELIVERED,OPENED',
  },
  {
    what: 'OpenCheckIn',
    seed: seeds.places(batchSize),
    body: (n) => ({ offerId: seeds.offerId, placeId: seeds.place(n).itemId, cardNumber: `card-${n}` }),
    isRight: (response: { secretCode: string }) => /^\d{4}$/.test(response.secretCode),
  },
  ...sized('ListWalletPlaces, #', [5, 20], (size) => ({
    seed: seeds.places(size),
    isRight: (response: { places: unknown[] }) => response.places.length === size,
  })),
  ...sized('ListWalletPromotions, #', [2, 20], promotionList()),
  { what: 'UpdateRecipients, 3 numbers', isRight: has(() => ({ registered: 2, unregistered: 1 })) },
];
