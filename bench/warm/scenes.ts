import { message, phones } from '../flows/sending.ts';
import { batchSize, type Scene } from './scene.ts';
import * as seeds from './seeds.ts';

/** Checks that a response has these members, among others. */
function has(membersOf: (n: number) => Record<string, unknown>): Scene['isRight'] {
  return (response: Record<string, unknown>, n) =>
    Object.entries(membersOf(n)).every(([name, value]) => response[name] === value);
}

type Sized = Pick<Scene, 'seed' | 'body' | 'isRight'>;

/** Makes a scene for each length of a list. Only lengths of everyday use have a budget. */
function sized(sizes: readonly number[], what: string, sceneOf: (size: number) => Sized): Scene[] {
  return sizes.map((size) => ({
    ...sceneOf(size),
    what: what.replace('#', size.toLocaleString('en')),
    withoutBudget: size > 20,
    size,
  }));
}

/** A response shows at most `pageSize` promotions. */
function promotionList(pageSize = Number.POSITIVE_INFINITY) {
  return (size: number): Sized => ({
    seed: seeds.promotions(size),
    isRight: (response: object) =>
      JSON.stringify(response).split('Акция ').length - 1 === Math.min(size, pageSize),
  });
}

function sends({ each }: { each: boolean }) {
  return (size: number): Sized => ({
    seed: seeds.recipients(size),
    body: () => {
      const all = phones(size);
      return each ? all.map((msisdn) => ({ ...message, msisdn })) : { ...message, msisdn: all };
    },
    isRight: (response: { state: string }[]) =>
      response.length === size && response.every(({ state }) => state === 'ENQUEUED'),
  });
}

/**
 * The authorizer, and the 17 endpoints that programs call every day: for lists, check-ins, promotions and messages, and
 * those of the wallet platform. What people call, such as the settings of callbacks, has no scene.
 */
export const scenes: readonly Scene[] = [
  { what: 'AuthorizePartner', withoutBudget: true, isRight: has(() => ({ isAuthorized: true })) },
  ...sized([2, 50, 500], 'StartSync, # places', (size) => ({
    body: () => ({ places: Array.from({ length: size }, (_, n) => seeds.place(n)) }),
    isRight: (response: { sessionId: string }) => response.sessionId.length === 36,
  })),
  {
    what: 'GetSync, finished',
    seed: seeds.finishedSession,
    isRight: (response: { status: string; counts: { added: number } }) =>
      response.status === 'FINISHED' && response.counts.added === 500,
  },
  ...sized([5, 50, 500], 'ListCheckIns, # active', (size) => ({
    seed: seeds.openCheckIns(size, () => 'bar-1'),
    isRight: (response: unknown[]) => response.length === size,
  })),
  {
    what: 'RegisterCheckIn',
    seed: seeds.openCheckIns(batchSize, (n) => `bar-${n}`),
    body: (n) => ({ checkinNumber: n + 1 }),
    isRight: has((n) => ({ cardNumber: `card-${n}` })),
  },
  { what: 'CreatePromotion', isRight: has((n) => ({ promoId: n + 1 })) },
  { what: 'UpdatePromotion', seed: seeds.promotions(1), isRight: has(() => ({ promoId: 1 })) },
  { what: 'GetPromotion', seed: seeds.promotions(1), isRight: has(() => ({ discount: '50 %' })) },
  ...sized([2, 20, 200], 'ListPromotions, #', promotionList(15)),
  ...sized([2, 20, 200], 'ListActivePromotions, #', promotionList()),
  { what: 'SendMessage', seed: seeds.recipients(1), isRight: has(() => ({ state: 'ENQUEUED' })) },
  ...sized([2, 100, 1_000], 'SendBulk, # recipients', sends({ each: false })),
  ...sized([2, 20, 100], 'SendMulti, # messages', sends({ each: true })),
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
  ...sized([5, 20, 100], 'ListWalletPlaces, #', (size) => ({
    seed: seeds.places(size),
    isRight: (response: { places: unknown[] }) => response.places.length === size,
  })),
  ...sized([2, 20, 50], 'ListWalletPromotions, #', promotionList()),
  { what: 'UpdateRecipients, 3 numbers', isRight: has(() => ({ registered: 2, unregistered: 1 })) },
];
