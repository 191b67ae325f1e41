import { expect, test } from 'vitest';
import { partnerAdminStore } from '../../../shared/partners/partner-admin-store.ts';
import { partnerStore } from '../../../shared/partners/partner-store.ts';
import { fails, firstSecret, partnerCliRig } from './partner-cli-rig.ts';

test('create prints the secret once, and the table does not know it', async () => {
  const rig = await partnerCliRig();
  expect(await rig.run('create bars --login bars-api --offer bars-of-moscow --offer bars-of-tver')).toEqual({
    exit: 0,
    out: `Partner bars is created, with login bars-api and offer bars-of-moscow, bars-of-tver.

  Secret  AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE

This is the only time it is shown. Hand it over where nobody else reads it.`,
    err: '',
  });
  expect(await rig.stored()).not.toContain(firstSecret);
  expect(await rig.authorizes('bars-api', firstSecret)).toBe(true);
  expect((await rig.run('show bars')).out).not.toContain(firstSecret);
});

test('create writes a key, the entry and offers', async () => {
  const rig = await partnerCliRig();
  await rig.createBars();
  const rows = (await rig.table.rows()).sort((a, b) => String(a['pk']).localeCompare(String(b['pk'])));
  expect(rows).toEqual([
    {
      pk: 'ACCOUNT#bars-api',
      sk: '-',
      login: 'bars-api',
      partnerId: 'bars',
      offerIds: ['bars-of-moscow'],
      role: 'full',
      disabled: false,
      limits: {},
      secrets: [{ digest: expect.stringMatching(/^[\w-]{43}$/), createdAt: 1779278400000 }],
    },
    { pk: 'OFFER#bars-of-moscow', sk: '-', offerId: 'bars-of-moscow', partnerId: 'bars' },
    { pk: 'PARTNERS', sk: 'bars', partnerId: 'bars', logins: ['bars-api'], version: 0 },
  ]);
});

test.each([
  [
    'a partnerId that exists',
    'create bars --login other --offer other',
    'Partner bars exists already: nothing was added.',
  ],
  [
    'a login that exists',
    'create other --login bars-api --offer other',
    'Login bars-api belongs to another partner: nothing was added.',
  ],
  [
    "another partner's offer",
    'create other --login other --offer mine --offer bars-of-moscow',
    'Offer bars-of-moscow belongs to another partner: nothing was added.',
  ],
])('create refuses %s, and then adds nothing', async (_what, line, sentence) => {
  const rig = await partnerCliRig();
  await rig.createBars();
  const before = await rig.table.rows();
  expect(await rig.run(line)).toEqual({ exit: 1, out: '', err: sentence });
  expect(await rig.table.rows()).toEqual(before);
});

test('a partner cannot be called wallet: the wallet platform keeps its answers under that name', async () => {
  const rig = await partnerCliRig();
  expect(await rig.run('create wallet --login wallet-api --offer offer-1')).toMatchObject({
    exit: 2,
    err: expect.stringContaining('is reserved, choose another'),
  });
  expect(await rig.table.rows()).toEqual([]);
});

test('of two that create one partner at once, one does', async () => {
  const rig = await partnerCliRig();
  const runs = await Promise.all([
    rig.run('create bars --login a --offer a'),
    rig.run('create bars --login b --offer b'),
  ]);
  expect(runs.map(({ exit }) => exit).sort()).toEqual([0, 1]);
  expect(await rig.table.rows()).toHaveLength(3);
});

test('list shows all partners, also one that was saved without this command', async () => {
  const rig = await partnerCliRig();
  expect((await rig.run('list')).out).toBe('There are no partners yet: the command create adds one.');
  await rig.createBars();
  await partnerAdminStore(rig.table).create({
    login: 'bakery-api',
    partnerId: 'bakery',
    offerIds: ['bakery-club', 'bakery-plus'],
    role: 'full',
    disabled: true,
    limits: {},
    secrets: [],
  });
  expect((await rig.run('list')).out).toBe(
    `PARTNER  LOGIN       STATE     SECRETS  OFFERS
bakery   bakery-api  disabled  0        bakery-club, bakery-plus
bars     bars-api    enabled   1        bars-of-moscow`,
  );
  expect(await rig.json('list')).toEqual({
    partners: [
      {
        partnerId: 'bakery',
        login: 'bakery-api',
        disabled: true,
        offerIds: ['bakery-club', 'bakery-plus'],
        secrets: 0,
      },
      {
        partnerId: 'bars',
        login: 'bars-api',
        disabled: false,
        offerIds: ['bars-of-moscow'],
        secrets: 1,
      },
    ],
  });
});

const shownBars = `  Partner  bars
  State    enabled
  Offers   bars-of-moscow

Keys
  LOGIN     ROLE  LABEL  LIMITS  SECRETS CREATED
  bars-api  full         none    2026-05-20T12:00:00Z

Limits
  pushes-per-minute                   100,000 (default)
  bulk-recipients                     10,000 (default)
  multi-messages                      1,000 (default)
  removal-percent                     50 (default)
  till-requests                       1,000 (default)
  heavy-requests                      60 (default)
  other-requests                      1,000 (default)
  check-in-minutes of bars-of-moscow  120 (default)

Callbacks
  no endpoint`;

test('show finds a partner by its id and by its login', async () => {
  const rig = await partnerCliRig();
  await rig.createBars();
  expect(await rig.run('show bars')).toEqual({ exit: 0, out: shownBars, err: '' });
  expect((await rig.run('show bars-api')).out).toBe(shownBars);
  expect(await rig.run('show nobody')).toEqual(
    fails(1, 'There is no partner and no login "nobody": the command list shows all.'),
  );
});

test('a partner gets and loses offers, and another one can have them then', async () => {
  const rig = await partnerCliRig();
  await rig.createBars();
  await rig.createBakery();
  expect(await rig.run('offers add bars bars-of-tver')).toEqual({
    exit: 0,
    out: "Offer bars-of-tver belongs to bars. It takes effect within 5 minutes, because the gateway caches the authorizer's response.",
    err: '',
  });
  expect(await rig.run('offers add bars bars-of-tver')).toMatchObject({
    exit: 1,
    err: 'Offer bars-of-tver belongs to bars already.',
  });
  expect(await rig.run('offers add bakery bars-of-tver')).toMatchObject({
    exit: 1,
    err: 'Offer bars-of-tver belongs to another partner, which must lose it first.',
  });
  expect(await rig.run('offers remove bakery bars-of-tver --yes')).toMatchObject({
    exit: 1,
    err: 'Offer bars-of-tver does not belong to bakery.',
  });
  expect(await rig.json('offers remove bars bars-of-tver --yes')).toEqual({
    partnerId: 'bars',
    offerIds: ['bars-of-moscow'],
  });
  expect(await rig.json('offers add bakery bars-of-tver')).toEqual({
    partnerId: 'bakery',
    offerIds: ['bakery-club', 'bars-of-tver'],
  });
  expect(await partnerStore(rig.table).offer('bars-of-tver')).toEqual({
    offerId: 'bars-of-tver',
    partnerId: 'bakery',
  });
  expect((await partnerStore(rig.table).key('bars-api'))?.offerIds).toEqual(['bars-of-moscow']);
});

test('limits are agreed, shown, and taken back', async () => {
  const rig = await partnerCliRig();
  await rig.createBars();
  const agree = 'limits bars --pushes-per-minute 5000 --check-in-minutes 30 --offer bars-of-moscow';
  expect(await rig.run(agree)).toEqual({
    exit: 0,
    out: `  pushes-per-minute                   5,000 (agreed)
  bulk-recipients                     10,000 (default)
  multi-messages                      1,000 (default)
  removal-percent                     50 (default)
  till-requests                       1,000 (default)
  heavy-requests                      60 (default)
  other-requests                      1,000 (default)
  check-in-minutes of bars-of-moscow  30 (agreed)

It takes effect within 5 minutes, because the gateway caches the authorizer's response.`,
    err: '',
  });
  expect((await partnerStore(rig.table).key('bars-api'))?.limits).toEqual({ pushesPerMinute: 5000 });
  expect((await partnerStore(rig.table).offer('bars-of-moscow'))?.checkInLifetimeMs).toBe(1_800_000);
  await rig.run('limits bars --multi-messages 7 --removal-percent 60');
  await rig.run('limits bars --default pushes-per-minute --default check-in-minutes --offer bars-of-moscow');
  expect(await rig.json('limits bars')).toEqual({
    partnerId: 'bars',
    pushesPerMinute: { value: 100000, agreed: false },
    bulkRecipients: { value: 10000, agreed: false },
    multiMessages: { value: 7, agreed: true },
    removalPercent: { value: 60, agreed: true },
    tillRequests: { value: 1000, agreed: false },
    heavyRequests: { value: 60, agreed: false },
    otherRequests: { value: 1000, agreed: false },
    checkInMinutes: { 'bars-of-moscow': { value: 120, agreed: false } },
  });
});

test.each([
  [
    '--pushes-per-minute 1000001',
    2,
    "error: option '--pushes-per-minute <n>' argument '1000001' is invalid. It takes a whole number from 1 to 1000000.",
  ],
  [
    '--bulk-recipients 1.5',
    2,
    "error: option '--bulk-recipients <n>' argument '1.5' is invalid. It takes a whole number from 1 to 40000.",
  ],
  [
    '--removal-percent 101',
    2,
    "error: option '--removal-percent <n>' argument '101' is invalid. It takes a whole number from 1 to 100.",
  ],
  ['--offer bars-of-moscow', 2, 'A change of check-in-minutes and --offer go together.'],
  [
    '--default multi-messages --multi-messages 3',
    2,
    '--multi-messages and --default multi-messages exclude each other.',
  ],
  ['--check-in-minutes 30 --offer bakery-club', 1, 'Offer bakery-club does not belong to bars.'],
])('limits %s is refused', async (options, exit, err) => {
  const rig = await partnerCliRig();
  await rig.createBars();
  expect(await rig.run(`limits bars ${options}`)).toEqual({ exit, out: '', err });
});

test('requests of a disabled partner are refused, until it is enabled', async () => {
  const rig = await partnerCliRig();
  await rig.createBars();
  expect(await rig.run('disable bars --yes')).toEqual({
    exit: 0,
    out: "bars is disabled. It takes effect within 5 minutes, because the gateway caches the authorizer's response.",
    err: '',
  });
  expect(await rig.authorizes('bars-api', firstSecret)).toBe(false);
  expect(await rig.json('enable bars')).toEqual({ partnerId: 'bars', disabled: false });
  expect(await rig.authorizes('bars-api', firstSecret)).toBe(true);
});
