import { checkInStore } from '../../shared/check-ins/check-in.ts';
import { placeStore, storedPlace } from '../../shared/places/place.ts';
import { syncSessionStore } from '../../shared/places/sync-session.ts';
import { hours } from '../../shared/platform/runtime/clock.ts';
import type { Table } from '../../shared/platform/table/table.ts';
import { promotionStore } from '../../shared/promotions/promotion-store.ts';
import { deliveryStateStore } from '../../shared/push/delivery-state-store.ts';
import { messageStore } from '../../shared/push/message-store.ts';
import { recipientStore } from '../../shared/push/recipient-store.ts';
import { content, firstPhone, phones } from '../flows/sending.ts';

/** Puts into the table what a scene needs. */
export type Seed = (table: Table) => Promise<unknown>;

export const offerId = 'bars-of-moscow';
const partnerId = 'bars';

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

export function places(count: number): Seed {
  const put = Array.from({ length: count }, (_, n) => storedPlace(place(n)));
  return (table) => placeStore(table).apply(offerId, { put, remove: [] });
}

export function openCheckIns(count: number, placeOf: (n: number) => string): Seed {
  return async (table) => {
    const checkIns = checkInStore(table);
    const now = Date.now();
    for (let n = 0; n < count; n++) {
      const { checkinNumber } = await checkIns.nextNumber(offerId, 'shuffle-key');
      const secretCode = String(1_000 + n);
      const checkIn = { checkinNumber, secretCode, cardNumber: `card-${n}`, activeUntil: now + hours(2) };
      await checkIns.open({ offerId, placeId: placeOf(n) }, checkIn, { nowMs: now });
    }
  };
}

export function promotions(count: number): Seed {
  return async (table) => {
    for (let n = 0; n < count; n++) {
      const promotion = {
        name: `Акция ${n}`,
        startsAt: { ms: Date.UTC(2026, 4, 1), offsetMinutes: 180 },
        imageWide: 'https://bars.example/wide.png',
        description: '<p>По будням до 18:00</p>',
        discount: '50 %',
        source: 'api' as const,
      };
      await promotionStore(table).create(partnerId, promotion, { atMs: promotion.startsAt.ms });
    }
  };
}

export const finishedSession: Seed = async (table) => {
  const sessions = syncSessionStore(table);
  const list = { offerId, sessionId: '019e4541-ca00-7d11-b600-a1ab44b848c0', received: 500, dryRun: false };
  const counts = { received: 500, added: 500, updated: 0, unchanged: 0, removed: 0, rejected: 0 };
  const now = Date.now();
  await sessions.begin({ ...list, acceptedAt: now });
  await sessions.record(list, { counts, warnings: [], remarks: [], changes: undefined, rejected: [] }, now);
  await sessions.end(list, 'FINISHED');
};

export function recipients(count: number): Seed {
  return (table) => recipientStore(table).update({ registered: phones(count), unregistered: [] });
}

export const openedMessage: Seed = async (table) => {
  const acceptedAt = Date.now();
  const messageId = '3f1c9a52-7c1e-4b8f-9a35-0d6f2f6f8a11';
  const message = { messageId, partnerId, msisdn: firstPhone, registered: true, content, acceptedAt };
  await messageStore(table).saveSingle(message);
  await deliveryStateStore(table).record([
    { message, state: 'DELIVERED', atMs: acceptedAt + 1_000 },
    { message, state: 'OPENED', atMs: acceptedAt + 2_000 },
  ]);
};
