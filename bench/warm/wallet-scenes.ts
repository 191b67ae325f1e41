import { place, placesFor, promotionsFor } from './partner-scenes.ts';
import { batchSize, offerId, type Scene } from './scene.ts';

function listPlacesOf(size: number): Scene {
  return {
    what: `ListWalletPlaces, ${size}`,
    functionId: 'ListWalletPlaces',
    hasBudget: size === 5,
    size,
    seed: placesFor(size),
    isRight: (answer: { places: unknown[] }) => answer.places.length === size,
  };
}

function listPromotionsOf(size: number): Scene {
  return {
    what: `ListWalletPromotions, ${size}`,
    functionId: 'ListWalletPromotions',
    hasBudget: size <= 20,
    size,
    seed: promotionsFor(size),
    isRight: (answer: { promos: unknown[] }) => answer.promos.length === size,
  };
}

/** The functions that the wallet platform calls. */
export const walletScenes: readonly Scene[] = [
  {
    what: 'OpenCheckIn',
    functionId: 'OpenCheckIn',
    hasBudget: true,
    seed: placesFor(batchSize),
    request: (n) => ({ body: { offerId, placeId: place(n).itemId, cardNumber: `card-${n}` } }),
    isRight: (answer: { secretCode: string }) => /^\d{4}$/.test(answer.secretCode),
  },
  ...[5, 20, 100].map(listPlacesOf),
  ...[2, 20, 50].map(listPromotionsOf),
  {
    what: 'UpdateRecipients, 3 numbers',
    functionId: 'UpdateRecipients',
    hasBudget: true,
    isRight: (answer: { registered: number; unregistered: number }) =>
      answer.registered === 2 && answer.unregistered === 1,
  },
];
