import { place, placesFor, promotionsFor } from './partner-scenes.ts';
import { batchSize, offerId, type Scene } from './scene.ts';

function listPlacesOf(size: number): Scene {
  return {
    what: `ListWalletPlaces, ${size}`,
    functionId: 'ListWalletPlaces',
    hasBudget: size === 5,
    size,
    seed: placesFor(size),
    isRight: (response: { places: unknown[] }) => response.places.length === size,
  };
}

function listPromotionsOf(size: number): Scene {
  return {
    what: `ListWalletPromotions, ${size}`,
    functionId: 'ListWalletPromotions',
    hasBudget: size <= 20,
    size,
    seed: promotionsFor(size),
    isRight: (response: { promos: unknown[] }) => response.promos.length === size,
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
    isRight: (response: { secretCode: string }) => /^\d{4}$/.test(response.secretCode),
  },
  ...[5, 20, 100].map(listPlacesOf),
  ...[2, 20, 50].map(listPromotionsOf),
  {
    what: 'UpdateRecipients, 3 numbers',
    functionId: 'UpdateRecipients',
    hasBudget: true,
    isRight: (response: { registered: number; unregistered: number }) =>
      response.registered === 2 && response.unregistered === 1,
  },
];
