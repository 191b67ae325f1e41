import { randomUUID } from 'node:crypto';
import { idempotencyStore } from '../../../shared/platform/http/idempotency.ts';
import { fingerprintOf } from '../../../shared/platform/http/idempotency-key.ts';
import { minutes } from '../../../shared/platform/runtime/clock.ts';
import { bulkIdFrom, bulkMessageId } from '../../../shared/push/message-id.ts';
import { recipientStore } from '../../../shared/push/recipient-store.ts';
import { after, type CostCases, count, gzipVaries, noise, once, padded, worst } from './cost-case.ts';

/** The largest content, 4,096 bytes, with a deadline, which takes a row more. */
export function largestContent(seed: number) {
  const qos = {
    deliveryStatusNotifications: true,
    deliverDue: new Date(Date.now() + minutes(60)).toISOString(),
  };
  return {
    pushType: 'PROMO' as const,
    payload: { title: 'Bar', message: 'Ready', more: noise(3_930, seed) },
    qos,
    utm: { utmSource: 'crm' },
  };
}

/** The longest numbers. */
const numbers = count(40_000).map((n) => 790_000_000_000_000 + n);

/** A row for each registered number takes more CPU to read than no row, at the same price. */
const registered = once((table) =>
  recipientStore(table).update({ registered: numbers.slice(0, 10_000), unregistered: [] }),
);

const bulkBody = { ...largestContent(0), msisdn: numbers };

/** Keeps the largest response of a bulk send under a key, as if the request had been made, and returns the key. */
const keptResponse = once(async (table) => {
  const key = randomUUID();
  const fingerprint = fingerprintOf('/', '', JSON.stringify(bulkBody));
  const request = { requestId: key, callerId: 'bars', operation: 'SendBulk', key, fingerprint };
  const bulkId = bulkIdFrom(randomUUID());
  const response = numbers.map((msisdn, n) => ({
    msisdn,
    messageId: bulkMessageId(bulkId, n),
    state: n % 3 ? 'ENQUEUED' : 'MSISDN_NOT_REGISTERED',
  }));
  const store = idempotencyStore(table);
  await store.begin(request, Date.now(), minutes(1));
  const kept = { statusCode: 200, headers: {}, body: JSON.stringify(response) };
  await store.keep(request, kept, Date.now());
  return key;
});

export const sendCosts: CostCases = {
  SendMessage: [
    worst(
      'the largest content to a number that is not registered, in the largest body',
      { read: 1.5, write: 8 },
      () => ({ body: padded({ ...largestContent(0), msisdn: 79_990_000_000 }) }),
    ),
  ],
  SendBulk: [
    worst(
      'the largest content to 40,000 numbers',
      {
        read: 20_001,
        write: 570,
        atMost: gzipVaries,
        cpu: { ms: 2_500, because: 'it reads 40,000 rows, and writes 40' },
      },
      after(registered, { body: bulkBody }),
    ),
    worst(
      'a repetition of a request to 40,000 numbers',
      { read: 32, atMost: gzipVaries, logs: 'callerId login' },
      async (table) => {
        return { headers: { 'idempotency-key': await keptResponse(table) }, body: bulkBody };
      },
    ),
    worst(
      'another request with the Idempotency-Key of a request to 40,000 numbers',
      { status: 422, logs: 'callerId login' },
      async (table) => {
        const body = { ...largestContent(1), msisdn: [79_000_000_000] };
        return { headers: { 'idempotency-key': await keptResponse(table) }, body };
      },
    ),
    // Each part of the value was listed to look into it: 540 ms, 22 times its parsing.
    worst('damaged text after 600,000 sound ones', { status: 400, write: 2 }, () => ({
      body: `{"msisdn":[1],"more":[${'"",'.repeat(600_000)}"\ufffd"]}`,
    })),
  ],
  SendMulti: [
    worst(
      '1,000 messages with the largest contents',
      {
        read: 501,
        write: 2_970,
        atMost: gzipVaries,
        cpu: { ms: 600, because: 'it encodes 13 rows of 240 kB' },
      },
      () => ({ body: count(1_000).map((n) => ({ ...largestContent(n), msisdn: 79_000_000_000 + n })) }),
    ),
  ],
  UpdateRecipients: [
    worst(
      '1,000 numbers, of which it removes half',
      { write: 1_002, cpu: { ms: 150, because: 'it makes 40 calls of the table' } },
      () => ({
        body: { registered: numbers.slice(20_000, 20_500), unregistered: numbers.slice(20_500, 21_000) },
      }),
    ),
  ],
};
