import { createHash } from 'node:crypto';
import { moscowBars } from '../../ops/scenario/data/moscow-bars.ts';
import { checkInStore } from '../../shared/check-ins/check-in.ts';
import { partnerAdminStore } from '../../shared/partners/partner-admin-store.ts';
import { firstKey } from '../../shared/partners/partner-rows.ts';
import { listContentStore } from '../../shared/places/list-message.ts';
import { placeStore, storedPlace } from '../../shared/places/place.ts';
import { removalGuardStore } from '../../shared/places/removal-guard.ts';
import { syncSessionStore } from '../../shared/places/sync-session.ts';
import { idempotencyStore } from '../../shared/platform/http/idempotency.ts';
import { requestBudgets } from '../../shared/platform/limits/request-budget.ts';
import { parkedStore } from '../../shared/platform/queues/parked-store.ts';
import { minutes } from '../../shared/platform/runtime/clock.ts';
import { systemIds } from '../../shared/platform/runtime/ids.ts';
import { heartbeatStore } from '../../shared/platform/stream/heartbeats.ts';
import type { ParkedQueue } from '../../shared/platform/table/row-kinds.ts';
import type { Table } from '../../shared/platform/table/table.ts';
import { promotionStore } from '../../shared/promotions/promotion-store.ts';
import { bulkIdFrom, bulkMessageId } from '../../shared/push/message-id.ts';
import { messageStore } from '../../shared/push/message-store.ts';
import type { PushContent } from '../../shared/push/sending/push-content.ts';
import { rateWindow } from '../../shared/push/sending/rate-window.ts';
import { phoneStore } from '../../shared/sandbox/phone-store.ts';
import { receiverStore } from '../../shared/sandbox/receiver-store.ts';
import { removedStore } from '../../shared/sandbox/removed-store.ts';
import { addCallbacks } from './sample-callbacks.ts';

export type Sample = {
  partnerId: string;
  offerId: string;
  /** The first of 2,500 consecutive phone numbers that the partner sends to. */
  firstNumber: number;
  /** How many of the 533 bars the partner lists. */
  places: number;
  nowMs: number;
};

/** The ids that tests and rehearsals look for later. */
export type Filled = {
  single: string;
  /** Messages of a send of three parts: to the first number, and to a number of another part. */
  inBulk: { first: string; later: string; laterNumber: number };
  /** The message to the first number, in a send with different contents. */
  inMulti: string;
};

export function content(message: string): PushContent {
  return {
    pushType: 'SERVICE',
    payload: { title: 'News', message },
    qos: { deliveryStatusNotifications: true },
  };
}

/** Gives a partner rows of every kind, through the stores that the functions use. */
export async function fillPartner(table: Table, sample: Sample): Promise<Filled> {
  await addRegister(table, sample);
  await addPlaces(table, sample);
  await addCheckIns(table, sample);
  await addPromotions(table, sample);
  const filled = await addMessages(table, sample);
  await addPhones(table, sample, filled);
  await addReceiver(table, sample);
  await addCallbacks(table, sample, filled);
  await addTraces(table, sample, filled);
  return filled;
}

async function addRegister(table: Table, { partnerId, offerId, nowMs }: Sample): Promise<void> {
  const partners = partnerAdminStore(table);
  const identity = { login: `${partnerId}-api`, partnerId, offerIds: [offerId] };
  await partners.create(firstKey(identity, systemIds.token(32), nowMs));
  await partners.setCheckInLifetime(offerId, partnerId, minutes(60));
}

async function addPlaces(table: Table, { offerId, places, nowMs }: Sample): Promise<void> {
  const put = moscowBars().slice(0, places).map(storedPlace);
  await placeStore(table).apply(offerId, { put, remove: [] });
  await removalGuardStore(table).remember(offerId, 40);
  const sessions = syncSessionStore(table);
  const received = places + 1;
  const list = { offerId, sessionId: systemIds.uuidAt(nowMs), received, dryRun: false, acceptedAt: nowMs };
  // These characters do not compress, so the list does not fit into a message.
  const digits = createHash('shake256', { outputLength: 800_000 }).update(offerId).digest('base64');
  await listContentStore(table).pack(list, { text: digits }, nowMs);
  await sessions.begin(list);
  const counts = { received, added: places, updated: 0, unchanged: 0, removed: 0, rejected: 1 };
  const rejected = [{ place: { itemId: 'x' }, description: 'no address' }];
  await sessions.record(
    list,
    { counts, warnings: [], remarks: [], changes: { added: ['x'] }, rejected },
    nowMs,
  );
  await sessions.end(list, 'FINISHED');
}

export async function openCheckIn(
  table: Table,
  { offerId, nowMs }: Pick<Sample, 'offerId' | 'nowMs'>,
  cardNumber: string,
): Promise<number> {
  const checkIns = checkInStore(table);
  const { checkinNumber } = await checkIns.nextNumber(offerId, systemIds.token(32));
  const active = { checkinNumber, cardNumber, secretCode: '0042', activeUntil: nowMs + minutes(60) };
  await checkIns.open({ offerId, placeId: 'bar with a name' }, active, { nowMs });
  return checkinNumber;
}

async function addCheckIns(table: Table, sample: Sample): Promise<void> {
  await openCheckIn(table, sample, '9643907500000012');
  const used = await openCheckIn(table, sample, '9643907500000020');
  await checkInStore(table).redeem(sample.offerId, used, { by: 'r', nowMs: sample.nowMs });
}

export function addPromotion(
  table: Table,
  { partnerId, nowMs }: Pick<Sample, 'partnerId' | 'nowMs'>,
  name: string,
) {
  const promotion = {
    name,
    startsAt: { ms: nowMs, offsetMinutes: 180 },
    description: '<p>Two for one</p>',
    discount: '50 %',
    source: 'api' as const,
  };
  return promotionStore(table).create(partnerId, promotion, { atMs: nowMs });
}

async function addPromotions(table: Table, sample: Sample): Promise<void> {
  for (const name of ['Happy hour', 'Late hour']) await addPromotion(table, sample, name);
}

async function addMessages(table: Table, sample: Sample): Promise<Filled> {
  const { partnerId, firstNumber, nowMs: acceptedAt } = sample;
  const messages = messageStore(table);
  const owner = { partnerId, acceptedAt, requestId: 'request' };
  const single = systemIds.uuid();
  await messages.saveSingle({
    ...owner,
    messageId: single,
    msisdn: firstNumber,
    registered: true,
    content: {
      ...content('Your table is ready'),
      qos: { deliverDue: new Date(acceptedAt + 86_400_000).toISOString() },
    },
  });
  const bulkId = bulkIdFrom(systemIds.uuid());
  const multiId = bulkIdFrom(systemIds.uuid());
  const recipients = Array.from({ length: 2_500 }, (_, n) => ({ msisdn: firstNumber + n, registered: true }));
  await messages.saveBulk({ ...owner, bulkId, recipients, contents: [content('We moved')], each: false });
  const some = recipients.slice(0, 100);
  const contents = some.map(({ msisdn }) => content(`Your bonus, ${msisdn % 10_000}`));
  await messages.saveBulk({ ...owner, bulkId: multiId, recipients: some, contents, each: true });
  const later = { later: bulkMessageId(bulkId, 2_001), laterNumber: firstNumber + 2_001 };
  return {
    single,
    inBulk: { first: bulkMessageId(bulkId, 0), ...later },
    inMulti: bulkMessageId(multiId, 0),
  };
}

async function addReceiver(table: Table, { partnerId, firstNumber, nowMs }: Sample): Promise<void> {
  const receivers = receiverStore(table);
  const receiver = await receivers.ofPartner(partnerId, `${partnerId}.${systemIds.token(32)}`, nowMs);
  const body = JSON.stringify({ msisdn: firstNumber, state: 'DELIVERED' });
  await receivers.take(partnerId, receiver, { receivedAt: nowMs, headers: {}, body });
}

async function addPhones(table: Table, sample: Sample, { single }: Filled): Promise<void> {
  const { partnerId, firstNumber, nowMs } = sample;
  await removedStore(table).add(partnerId, [systemIds.uuid()], nowMs);
  const phones = phoneStore(table);
  for (const msisdn of [firstNumber, firstNumber + 1]) await phones.add(partnerId, msisdn, nowMs);
  const shown = { messageId: single, acceptedAt: nowMs, deliveredAt: nowMs };
  await phones.show(partnerId, [{ ...shown, msisdn: firstNumber, content: content('Your table is ready') }]);
}

/** Adds rows beside the data itself: rates, idempotency keys, a heartbeat and parked messages. */
async function addTraces(table: Table, sample: Sample, { single, inBulk }: Filled): Promise<void> {
  const { partnerId, offerId, firstNumber, nowMs } = sample;
  await rateWindow(table, { now: () => nowMs }).take(partnerId, 10, { limit: 1_000 });
  const budgets = requestBudgets(table);
  const payer = { partnerId, limits: {} };
  for (const _request of [1, 2]) await budgets.take(payer, { budget: 'heavy', requests: 1 }, nowMs);
  const keyed = idempotencyStore(table);
  const first = { msisdn: firstNumber, messageId: inBulk.first, state: 'ENQUEUED' };
  const others = Array.from({ length: 100 }, () => ({ ...first, messageId: systemIds.uuid() }));
  // The second response is too large for the row of its key.
  for (const [key, response] of Object.entries({ 'order 7': [first], 'order 8': [first, ...others] })) {
    const keyOf = { callerId: partnerId, operation: 'SendBulk', key, fingerprint: 'f' };
    const request = { requestId: 'request', ...keyOf };
    await keyed.begin(request, nowMs, 1_000);
    const kept = { statusCode: 200, headers: {}, body: JSON.stringify(response) };
    await keyed.keep(request, kept, nowMs);
  }
  await heartbeatStore(table).beat(nowMs);
  const parked = parkedStore(table);
  const park = (queue: ParkedQueue, given: unknown) =>
    parked.park({ queue, id: systemIds.uuid(), body: JSON.stringify(given) }, 'reason', nowMs);
  await park('places-sync', { offerId, sessionId: 7 });
  await park('delivery-receipts', { messageId: single, msisdn: firstNumber, state: 'LOST' });
  await park('FanOutStates', { NewImage: { partnerId: { S: partnerId } } });
  await park('callbacks', { kind: 'retry', partnerId: `${partnerId}#alerts` });
}
