import type { CheckInScript } from '../scenario/check-in-act.ts';
import type { PromotionScript } from '../scenario/promotion-act.ts';
import type { SyncScript } from '../scenario/sync-act.ts';

const place = { itemId: 'smoke-1', name: 'Smoke test' };

const pair = [
  { itemId: place.itemId, placeInfo: { name: place.name, address: 'Nowhere 1' } },
  { itemId: 'smoke-2', placeInfo: { name: 'Lacks its address' } },
];

export function smallLists(deadlineSeconds: number): SyncScript {
  return {
    title: 'Service points',
    patience: { seconds: deadlineSeconds, pollMs: 500 },
    lists: [
      // Whatever an earlier run left, this one begins with one point that then goes.
      { what: 'one point', places: [{ itemId: 'smoke-0', placeInfo: { address: 'Nowhere 0' } }] },
      {
        what: 'two, one of them bad',
        places: pair,
        counts: { received: 2, added: 1, removed: 1, rejected: 1 },
      },
      { what: 'the same again', places: pair, counts: { received: 2, unchanged: 1, rejected: 1 } },
    ],
  };
}

/** Begins the card numbers of this test, so that its check-ins are found again. */
export const cardPrefix = 'smoke-';

export function checkIn(): CheckInScript {
  return {
    title: 'A check-in',
    place,
    cardNumber: `${cardPrefix}${Date.now()}`,
    desks: 1,
  };
}

/** A promotion cannot be deleted: it is given an end that has passed, and no card holder sees it any more. */
export const promotion: PromotionScript = {
  title: 'A promotion',
  name: 'Smoke test, please ignore',
  description: {
    sent: '<p>Smoke <b>test</b></p><script>alert(1)</script>',
    kept: '<p>Smoke <b>test</b></p>',
  },
  discount: '0 %',
  end: { endDate: '2026-01-02T00:00:00+0300', status: 'completed' },
};

/** From a range that the British regulator keeps free for films and plays. */
export const phone = 447_700_900_123;
export const nobodysPhone = 447_700_900_124;

export function message(msisdn: number) {
  return {
    pushType: 'SERVICE',
    msisdn,
    payload: { title: 'Smoke test', message: 'A test after a deployment, please ignore' },
  };
}
