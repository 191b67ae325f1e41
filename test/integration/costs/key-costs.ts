import { randomUUID } from 'node:crypto';
import { firstKey } from '../../../shared/partners/partner-rows.ts';
import { writeAll } from '../../../shared/platform/table/batches.ts';
import { loginKey, partnerKey } from '../../../shared/platform/table/row-keys/partners.ts';
import type { TestTable } from '../../support/table.ts';
import { type CostCases, count, gzipVaries, padded, worst } from './cost-case.ts';
import { by, offerIds } from './cost-partner.ts';

/** A key can be limited to no more ids of points, and to no more bytes of them together. */
const placeIds = count(100).map((n) => '😀'.repeat(9) + String(n).padStart(4, '0'));
const cashDesk = {
  role: 'cash-desk' as const,
  placeIds,
  onlyOfferIds: [...offerIds],
  label: '😀'.repeat(100),
};
function secret(createdAt: number) {
  return { digest: 'd'.repeat(43), createdAt, madeBy: randomUUID() };
}

/** Stores a partner with the key of the request and this many others with all limits, and returns a login of those. */
async function storeKeys(
  table: TestTable,
  partnerId: string,
  { others, secrets }: { others: number; secrets: number },
) {
  const own = firstKey({ login: partnerId, partnerId, offerIds: [...offerIds] }, 'secret', 0);
  const logins = count(others).map((n) => `${partnerId}-${n}`.padEnd(128, '-'));
  const keys = logins.map((login) => ({ ...own, ...cashDesk, login, secrets: count(secrets).map(secret) }));
  const entry = { partnerId, logins: [partnerId, ...logins], version: 0 };
  await writeAll(table, [
    { put: { ...partnerKey(partnerId), ...entry } },
    ...[own, ...keys].map((key) => ({ put: { ...loginKey(key.login), ...key } })),
  ]);
  return String(logins[0]);
}

/** Each run changes the keys of a partner of its own. */
async function ofNewPartner(table: TestTable, keys: { others: number; secrets: number }) {
  const partnerId = randomUUID();
  const login = await storeKeys(table, partnerId, keys);
  return { ...by(partnerId), path: { login } };
}

export const keyCosts: CostCases = {
  ListKeys: [
    worst('20 keys with all limits', { read: 98 }, (table) =>
      ofNewPartner(table, { others: 19, secrets: 2 }),
    ),
  ],
  CreateKey: [
    worst(
      'the 20th key, all with all limits',
      {
        read: 291,
        write: 139,
        atMost: gzipVaries,
        cpu: { ms: 100, because: 'it reads 19 rows of 20 kB, and writes one' },
      },
      async (table) => {
        const { path: _, ...request } = await ofNewPartner(table, { others: 18, secrets: 2 });
        const { onlyOfferIds, ...members } = cashDesk;
        return { ...request, body: padded({ ...members, offerIds: onlyOfferIds }) };
      },
    ),
  ],
  GetOwnKey: [
    worst('a key with all limits', { read: 5 }, async (table) => {
      const { path, partner } = await ofNewPartner(table, { others: 1, secrets: 2 });
      return { partner: { ...partner, login: path.login, role: 'cash-desk' as const } };
    }),
  ],
  RotateKey: [
    worst('one of 20 keys with all limits', { read: 98, write: 41 }, (table) =>
      ofNewPartner(table, { others: 19, secrets: 1 }),
    ),
  ],
  RetireKey: [
    worst('one of 20 keys with all limits', { read: 98, write: 41 }, (table) =>
      ofNewPartner(table, { others: 19, secrets: 2 }),
    ),
  ],
  DeleteKey: [
    worst('one of 20 keys with all limits', { read: 98, write: 45 }, (table) =>
      ofNewPartner(table, { others: 19, secrets: 2 }),
    ),
  ],
};
