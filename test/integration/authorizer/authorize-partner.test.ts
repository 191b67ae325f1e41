import { expect, test } from 'vitest';
import { authorizePartner } from '../../../functions/authorizer/authorize-partner.ts';
import { partnerAdminStore } from '../../../shared/partners/partner-admin-store.ts';
import { firstKey, type StoredKey } from '../../../shared/partners/partner-rows.ts';
import { partnerStore } from '../../../shared/partners/partner-store.ts';
import { newTable } from '../../support/table.ts';

const secret = 'q2Vw3m8yT1uR7pLkJhGfDsAzXcVbNm0QwErTyUiOpAs';
const key = firstKey({ login: 'bars', partnerId: 'partner-1', offerIds: ['bars-of-moscow'] }, secret, 0);

async function verdictOn(authorization: string | undefined, change: Partial<StoredKey> = {}) {
  const table = await newTable();
  await partnerAdminStore(table).create({ ...key, ...change });
  const event = {
    headers: authorization === undefined ? {} : { authorization },
    requestContext: { requestId: 'r' },
  };
  return authorizePartner({ partners: partnerStore(table), pushesPerMinute: 1_000 })(event as never);
}

function basic(login: string, password: string, scheme = 'Basic') {
  return `${scheme} ${Buffer.from(`${login}:${password}`).toString('base64')}`;
}

test.each(['Basic', 'basic', 'BASIC'])(
  'rule 1: the right secret is let in, whatever the case of %s',
  async (scheme) => {
    expect(await verdictOn(basic('bars', secret, scheme))).toEqual({
      isAuthorized: true,
      context: {
        partnerId: 'partner-1',
        login: 'bars',
        secretCreatedAt: 0,
        role: 'full',
        offerIds: ['bars-of-moscow'],
        limited: false,
        limits: { pushesPerMinute: 1_000 },
      },
    });
  },
);

test('rule 20: what was agreed with a partner counts, otherwise the rate of the stage', async () => {
  const limits = { pushesPerMinute: 5_000, bulkRecipients: 7 };
  expect(await verdictOn(basic('bars', secret), { limits })).toMatchObject({ context: { limits } });
  expect(await verdictOn(basic('bars', secret), { limits: { bulkRecipients: 7 } })).toMatchObject({
    context: { limits: { pushesPerMinute: 1_000, bulkRecipients: 7 } },
  });
});

test('rule 1: a key of a disabled partner is refused', async () => {
  expect(await verdictOn(basic('bars', secret), { disabled: true })).toEqual({ isAuthorized: false });
});
