import type { Place } from '../../shared/places/place.ts';
import { moscowBars } from './data/moscow-bars.ts';
import type { PromotionScript } from './promotion-act.ts';
import type { Phones } from './push-act.ts';
import type { Script } from './scenario.ts';
import type { SyncScript } from './sync-act.ts';

/** The scenario on real data: 533 bars of Moscow, five cash desks at once, and this many phones. */
export function demoScript(phoneCount = 1_000): Required<Script> {
  const bar = moscowBars()[100];
  return {
    sync: barLists(),
    checkIn: {
      place: { itemId: bar?.itemId ?? '', name: bar?.placeInfo.name ?? '' },
      cardNumber: `demo-${Date.now()}`,
      desks: 5,
    },
    promotion: twoForOne,
    sandbox: [79_001_001_001, 79_001_001_002],
    push: { ...phones(phoneCount), message: promotionMessage },
  };
}

const twoForOne: PromotionScript = {
  name: 'Два по цене одного',
  description: '<p>Каждый день <b>до 18:00</b></p>',
  discount: '50 %',
  end: { endDate: '2099-12-31T23:59:59+0300', status: 'active' },
};

/** Every tenth phone has no wallet. */
function phones(count: number): Phones {
  const numbers = Array.from({ length: count }, (_, n) => n);
  const phone = (n: number) => 79_001_000_000 + n;
  return {
    registered: numbers.filter((n) => n % 10 !== 9).map(phone),
    unregistered: numbers.filter((n) => n % 10 === 9).map(phone),
  };
}

function promotionMessage(promoId: number) {
  return {
    pushType: 'PROMO',
    payload: {
      title: 'Два по цене одного',
      message: 'Сегодня до 18:00, покажите карту',
      deeplink: { target: 'campaign', campaignId: promoId },
    },
    qos: { deliveryStatusNotifications: true },
    utm: { utmSource: 'demo', utmMiddle: 'push', utmCampaign: 'autumn', shelf: 7 },
  };
}

/** The whole list, 40 changes to it, and the same list again. */
function barLists(): SyncScript {
  const bars = moscowBars();
  const changed = withFortyChanges(bars);
  return {
    lists: [
      { what: 'the 533 bars of Moscow', places: bars, counts: { received: 533, added: 533, removed: 1 } },
      {
        what: '40 changes',
        places: changed,
        counts: { received: 533, added: 10, updated: 15, removed: 10, unchanged: 503, rejected: 5 },
      },
      { what: 'the same again', places: changed, counts: { received: 533, unchanged: 528, rejected: 5 } },
    ],
  };
}

/** Removes 10 points, renames 15, adds 10, and takes the address from 5, which are rejected. */
function withFortyChanges(bars: readonly Place[]): unknown[] {
  return [
    ...bars
      .slice(10, 25)
      .map((bar) => ({ ...bar, placeInfo: { ...bar.placeInfo, name: `${bar.placeInfo.name} (новое имя)` } })),
    ...bars.slice(25, 30).map(({ itemId, placeInfo: { name } }) => ({ itemId, placeInfo: { name } })),
    ...bars.slice(30),
    ...Array.from({ length: 10 }, (_, n) => ({
      itemId: `new-${n}`,
      placeInfo: { name: `Новый бар ${n}`, address: `Тверская улица, дом ${n + 1}` },
    })),
  ];
}
