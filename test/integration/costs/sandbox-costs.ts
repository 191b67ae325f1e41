import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { writeAll } from '../../../shared/platform/table/batches.ts';
import {
  phonePartition,
  receivedKey,
  receiverKey,
  shownMessageKey,
} from '../../../shared/platform/table/row-keys/sandbox.ts';
import { putRow } from '../../../shared/platform/table/rows.ts';
import { phoneStore } from '../../../shared/sandbox/phone-store.ts';
import type { TestTable } from '../../support/table.ts';
import { after, type CostCases, count, noise, once, padded, worst } from './cost-case.ts';
import { storeEndpoint } from './endpoint-costs.ts';
import { largestContent } from './send-costs.ts';

const phone = 79_001_234_567;
const path = { msisdn: String(phone) };

/** Gives the partner 20 phones, one of which shows this many of the largest messages, and returns the id of the oldest. */
async function storePhones(table: TestTable, partnerId: string, messages: number): Promise<string> {
  const phones = phoneStore(table);
  for (const n of count(20)) await phones.add(partnerId, phone + n, Date.now());
  const now = Date.now();
  const ids = count(messages).map(() => randomUUID());
  await writeAll(
    table,
    ids.map((messageId, n) => ({
      put: {
        ...shownMessageKey(phonePartition(partnerId, phone), now + n, messageId),
        messageId,
        acceptedAt: now + n,
        deliveredAt: now,
        content: JSON.stringify(largestContent(n)),
        expiresAt: 1,
      },
    })),
  );
  return String(ids[0]);
}

const fullPhone = once((table) => storePhones(table, 'bars', 100));

const signing = 'whsec_c2VjcmV0';

function tokenOf(partnerId: string): string {
  return `${partnerId}.${'t'.repeat(43)}`;
}

/** Stores a partner with an endpoint, and a receiver that has taken as much as it keeps. */
async function storeReceiver(table: TestTable) {
  const signingSecrets = [
    { secret: 'whsec_YWFh', createdAt: 1 },
    { secret: signing, createdAt: 2 },
  ];
  const request = await storeEndpoint(table, { signingSecrets });
  const { partnerId } = request.partner;
  const counts = { taken: 100, refused: 0, status: 200, delaySeconds: 0 };
  const row = { token: tokenOf(partnerId), ...counts, keptUntil: Date.now() + 1_000_000, expiresAt: 1 };
  await putRow(table, { ...receiverKey(partnerId), ...row });
  await writeAll(
    table,
    count(100).map((slot) => ({
      put: {
        ...receivedKey(partnerId, slot),
        ...{ receivedAt: Date.now(), answered: 200, delaySeconds: 0, expiresAt: 1 },
        headers: { 'webhook-id': randomUUID(), 'webhook-signature': noise(100, slot) },
        body: noise(4_300, slot),
      },
    })),
  );
  return request;
}

async function signedCallback(table: TestTable) {
  const { partnerId } = (await storeReceiver(table)).partner;
  const [id, sentAt, body] = [randomUUID(), new Date(), padded({}, 4_300)];
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1_000)),
    'webhook-signature': new Webhook(signing).sign(id, sentAt, body),
  };
  return { path: { token: tokenOf(partnerId) }, headers, body };
}

export const sandboxCosts: CostCases = {
  PutPhone: [worst('the last of 20 phones', { read: 2, write: 1 }, after(fullPhone, { path }))],
  ListPhones: [worst('as many phones as a partner may have', { read: 1 }, after(fullPhone))],
  GetPhone: [
    worst('100 messages with the largest contents', { read: 106.5, write: 1 }, after(fullPhone, { path })),
  ],
  OpenPhoneMessage: [
    worst('the oldest of 100 messages with the largest contents', { read: 105, write: 8 }, async (table) => ({
      path: { ...path, messageId: await fullPhone(table) },
    })),
  ],
  DeletePhone: [
    worst(
      'a phone with 100 messages with the largest contents',
      { read: 213.5, write: 1_002, isSpread: true },
      async (table) => {
        await storePhones(table, 'bars', 100);
        return { path };
      },
    ),
  ],
  GetSandboxReceiver: [worst('as many callbacks as it keeps', { read: 113, write: 2 }, storeReceiver)],
  PutSandboxReceiver: [
    worst('as many callbacks as it keeps', { read: 114, write: 325 }, async (table) => ({
      ...(await storeReceiver(table)),
      body: padded({ status: 503, delaySeconds: 20, times: 10_000 }),
    })),
  ],
  TakeSandboxCallback: [
    worst('the largest body, signed with the newer of two secrets', { read: 2, write: 6 }, signedCallback),
  ],
};
