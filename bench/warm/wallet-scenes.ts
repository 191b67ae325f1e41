import { place, placesFor, promotionsFor } from './partner-scenes.ts';
import { batchSize, offerId, type Scene } from './scene.ts';

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
  {
    what: 'ListWalletPlaces, 100',
    functionId: 'ListWalletPlaces',
    hasBudget: false,
    seed: placesFor(101),
    isRight: (answer: { places: unknown[] }) => answer.places.length === 100,
  },
  {
    what: 'ListWalletPlaces, 5',
    functionId: 'ListWalletPlaces',
    hasBudget: true,
    seed: placesFor(5),
    isRight: (answer: { places: unknown[] }) => answer.places.length === 5,
  },
  {
    what: 'ListWalletPromotions, 20',
    functionId: 'ListWalletPromotions',
    hasBudget: true,
    seed: promotionsFor(20),
    isRight: (answer: { promos: unknown[] }) => answer.promos.length === 20,
  },
  {
    what: 'UpdateRecipients, 3 numbers',
    functionId: 'UpdateRecipients',
    hasBudget: true,
    isRight: (answer: { registered: number; unregistered: number }) =>
      answer.registered === 2 && answer.unregistered === 1,
  },
];
