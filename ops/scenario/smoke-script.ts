import type { Script } from './scenario.ts';
import type { SyncScript } from './sync-act.ts';

/** The prefix of the smoke test's card numbers, by which its check-ins are found again. */
export const smokeCardPrefix = 'smoke-';

/** The scenario on little data, which a deployed stage hardly notices. */
export function smokeScript(): Required<Script> {
  return {
    sync: smallLists(),
    checkIn: { place: smokePlace, cardNumber: `${smokeCardPrefix}${Date.now()}`, desks: 1 },
    // A promotion cannot be deleted, so it gets an end date in the past, and the wallet stops showing it.
    promotion: {
      name: 'Smoke test, please ignore',
      description: '<p>Smoke <b>test</b></p>',
      discount: '0 %',
      end: { endDate: '2026-01-02T00:00:00+0300', status: 'completed' },
    },
    sandbox: [447_700_900_125, 447_700_900_126],
    push: {
      // The British regulator keeps this range free for films and plays.
      registered: [447_700_900_123],
      unregistered: [447_700_900_124],
      message: () => ({
        pushType: 'SERVICE',
        payload: { title: 'Smoke test', message: 'A test after a deployment, please ignore' },
      }),
    },
  };
}

// A gateway may take the slash for the end of a segment: the cash desk must find the place all the same.
const smokePlace = { itemId: 'smoke/1', name: 'Smoke test' };

function smallLists(): SyncScript {
  const pair = [
    { itemId: smokePlace.itemId, placeInfo: { name: smokePlace.name, address: 'Nowhere 1' } },
    { itemId: 'smoke-2', placeInfo: { name: 'Lacks its address' } },
  ];
  return {
    gzip: true,
    lists: [
      {
        what: 'two, one of them bad',
        places: pair,
        counts: { received: 2, added: 1, removed: 1, rejected: 1 },
      },
      { what: 'the same again', places: pair, counts: { received: 2, unchanged: 1, rejected: 1 } },
    ],
  };
}
