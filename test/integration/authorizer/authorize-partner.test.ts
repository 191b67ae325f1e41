import { expect, test } from 'vitest';
import { digestOf, type StoredSecret } from '../../../shared/partners/credentials.ts';
import { partnerAdminStore } from '../../../shared/partners/partner-admin-store.ts';
import { firstKey, type StoredKey } from '../../../shared/partners/partner-rows.ts';
import { loginKey } from '../../../shared/platform/table/row-keys/partners.ts';
import { updateExpression, updateRow } from '../../../shared/platform/table/rows.ts';
import { authorize } from '../../support/authorize.ts';
import { basic } from '../../support/basic.ts';
import { failingCommand } from '../../support/failing-command.ts';
import { collectLines } from '../../support/log-lines.ts';
import { newTable } from '../../support/table.ts';

const secret = 'q2Vw3m8yT1uR7pLkJhGfDsAzXcVbNm0QwErTyUiOpAs';
const key = firstKey({ login: 'bars', partnerId: 'partner-1', offerIds: ['bars-of-moscow'] }, secret, 0);

async function verdictOn(authorization: string, change: Partial<StoredKey> = {}) {
  const table = await newTable();
  await partnerAdminStore(table).create({ ...key, ...change });
  return authorize(table, authorization);
}

test.each(['Basic', 'basic', 'BASIC'])(
  'rule 1: the right secret is let in, whatever the case of %s',
  async (scheme) => {
    expect(await verdictOn(basic('bars', secret).replace('Basic', scheme))).toEqual({
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

const [stored] = key.secrets;

test('rule 1: either of two secrets is let in, and told apart', async () => {
  const secrets = [
    stored,
    { digest: digestOf({ login: 'bars', secret: 'newer' }), createdAt: 7 },
  ] as StoredSecret[];
  expect(await verdictOn(basic('bars', secret), { secrets })).toMatchObject({
    context: { secretCreatedAt: 0 },
  });
  expect(await verdictOn(basic('bars', 'newer'), { secrets })).toMatchObject({
    context: { secretCreatedAt: 7 },
  });
});

test('rule 1: a key that is disabled or limited is refused or told as such', async () => {
  expect(await verdictOn(basic('bars', secret), { disabled: true })).toEqual({ isAuthorized: false });
  const limited = { role: 'cash-desk' as const, onlyOfferIds: ['bars-of-moscow'], placeIds: ['p1'] };
  expect(await verdictOn(basic('bars', secret), limited)).toMatchObject({
    context: { role: 'cash-desk', limited: true, places: expect.stringMatching(/^[\w-]{11}$/) },
  });
});

test('rule 1: nothing else is let in, and what cannot be a login is not looked up', async () => {
  const table = await newTable();
  await partnerAdminStore(table).create(key);
  const other = { ...key, login: 'bakery', partnerId: 'partner-2', offerIds: ['bakery-club'] };
  await partnerAdminStore(table).create({ ...other, secrets: firstKey(other, 'of the bakery', 0).secrets });
  const right = basic('bars', secret);
  for (const [authorization, read] of [
    [undefined, 0],
    ['', 0],
    ['Basic', 0],
    [right.replace('Basic ', ''), 0],
    [right.replace('Basic', 'Bearer'), 0],
    [`${right} ${right}`, 0],
    [`${right}, ${right}`, 0],
    ['Basic ?:*', 0],
    [`Basic ${Buffer.from('bars').toString('base64')}`, 0],
    [basic('', secret), 0],
    [basic('b'.repeat(700), secret), 0],
    [`Basic ${Buffer.concat([Buffer.alloc(740, 0xff), Buffer.from(':x')]).toString('base64')}`, 0],
    [basic('BARS', secret), 1],
    [basic('bars\0', secret), 0],
    [`Basic${right.slice(6).padStart(1_020)}`, 0],
    [basic('nobody', secret), 1],
    [basic('bars', ''), 1],
    [basic('bars', `${secret} `), 1],
    [basic('bars', stored?.digest ?? ''), 1],
    [basic('bars', 'of the bakery'), 1],
    [basic('bakery', secret), 1],
  ] as const) {
    table.units();
    expect([authorization, await authorize(table, authorization)]).toEqual([
      authorization,
      { isAuthorized: false },
    ]);
    expect([authorization, table.units().read]).toEqual([authorization, read]);
  }
  for (const header of [` ${right} `, `Basic${right.slice(6).padStart(1_019)}`])
    expect(await authorize(table, header)).toMatchObject({ isAuthorized: true });
});

test('a table that is away is an error of ours, which the gateway does not cache as a refusal', async () => {
  const table = await newTable();
  failingCommand(table.client, 'GetItemCommand', 1);
  const lines = collectLines();
  await expect(authorize(table, basic('bars', secret))).rejects.toThrow();
  const line = { code: 'AuthorizePartner', outcome: 'failed', Failed: 1, login: 'bars', partnerId: '-' };
  expect(lines).toMatchObject([line]);
});

test('a row that does not parse fails for its login alone, and a refusal names none', async () => {
  const table = await newTable();
  await partnerAdminStore(table).create(key);
  const lines = collectLines();
  await authorize(table, basic('bars', 'wrong'));
  await updateRow(table, { Key: loginKey('bars'), ...updateExpression({ set: { disabled: 'yes' } }) });
  await expect(authorize(table, basic('bars', secret))).rejects.toThrow();
  expect(lines).toMatchObject([
    { outcome: 'refused' },
    {
      outcome: 'failed',
      login: 'bars',
      partnerId: 'bars',
      error: { message: expect.stringContaining('disabled') },
    },
  ]);
  expect(lines[0]).not.toHaveProperty('login');
  expect(JSON.stringify(lines)).not.toContain(secret);
});
