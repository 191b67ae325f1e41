import { expect, test } from 'vitest';
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
});

test.each([
  ['bars --login other --offer other', 'Partner bars exists already: nothing was added.'],
  ['other --login bars-api --offer other', 'Login bars-api belongs to another partner: nothing was added.'],
  [
    'other --login other --offer mine --offer bars-of-moscow',
    'Offer bars-of-moscow belongs to another partner: nothing was added.',
  ],
])('create %s takes nothing from a partner that exists, and adds nothing', async (options, sentence) => {
  const rig = await partnerCliRig();
  await rig.createBars();
  const before = await rig.table.rows();
  expect(await rig.run(`create ${options}`)).toEqual(fails(1, sentence));
  expect(await rig.table.rows()).toEqual(before);
});

test('of two that create one partner at once, one does', async () => {
  const rig = await partnerCliRig();
  const runs = await Promise.all(
    ['a', 'b'].map((one) => rig.run(`create bars --login ${one} --offer ${one}`)),
  );
  expect(runs.map(({ exit }) => exit).sort()).toEqual([0, 1]);
  expect(await rig.table.rows()).toHaveLength(3);
});

test('list and show say what is stored', async () => {
  const rig = await partnerCliRig();
  expect((await rig.run('list')).out).toBe('There are no partners yet: the command create adds one.');
  await rig.createBars();
  await rig.createBakery();
  await rig.run('disable bakery --yes');
  expect((await rig.run('list')).out).toBe(
    `PARTNER  LOGIN       STATE     SECRETS  OFFERS
bakery   bakery-api  disabled  1        bakery-club
bars     bars-api    enabled   1        bars-of-moscow`,
  );
  const shown = await rig.run('show bars');
  expect(shown.out).toBe(`  Partner  bars
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
  no endpoint`);
  expect(await rig.run('show bars-api')).toEqual(shown);
});

test('a partner gets and loses offers, and another one can have them then', async () => {
  const rig = await partnerCliRig();
  await rig.createBars();
  await rig.createBakery();
  expect((await rig.run('offers add bars bars-of-tver')).out).toBe(
    "Offer bars-of-tver belongs to bars. It takes effect within 5 minutes, because the gateway caches the authorizer's response.",
  );
  expect(await rig.run('offers add bakery bars-of-tver')).toEqual(
    fails(1, 'Offer bars-of-tver belongs to another partner, which must lose it first.'),
  );
  expect(await rig.run('offers remove bakery bars-of-tver --yes')).toEqual(
    fails(1, 'Offer bars-of-tver does not belong to bakery.'),
  );
  await rig.run('offers remove bars bars-of-tver --yes');
  expect(await rig.json('offers add bakery bars-of-tver')).toEqual({
    partnerId: 'bakery',
    offerIds: ['bakery-club', 'bars-of-tver'],
  });
  const offer = { offerId: 'bars-of-tver', partnerId: 'bakery' };
  expect(await partnerStore(rig.table).offer('bars-of-tver')).toEqual(offer);
  expect((await partnerStore(rig.table).key('bars-api'))?.offerIds).toEqual(['bars-of-moscow']);
});

test('limits are agreed, shown, and taken back', async () => {
  const rig = await partnerCliRig();
  await rig.createBars();
  const agree = 'limits bars --pushes-per-minute 5000 --check-in-minutes 30 --offer bars-of-moscow';
  const { out } = await rig.run(agree);
  expect(out).toContain('  pushes-per-minute                   5,000 (agreed)\n');
  expect(out).toContain('  check-in-minutes of bars-of-moscow  30 (agreed)\n');
  expect((await partnerStore(rig.table).key('bars-api'))?.limits).toEqual({ pushesPerMinute: 5000 });
  expect((await partnerStore(rig.table).offer('bars-of-moscow'))?.checkInLifetimeMs).toBe(1_800_000);
  await rig.run('limits bars --multi-messages 7 --removal-percent 60');
  await rig.run('limits bars --default pushes-per-minute --default check-in-minutes --offer bars-of-moscow');
  expect(await rig.json('limits bars')).toMatchObject({
    pushesPerMinute: { value: 100000, agreed: false },
    multiMessages: { value: 7, agreed: true },
    removalPercent: { value: 60, agreed: true },
    checkInMinutes: { 'bars-of-moscow': { value: 120, agreed: false } },
  });
});

test.each([
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
  expect(await rig.run(`limits bars ${options}`)).toEqual(fails(exit, err));
});

test('requests of a disabled partner are refused, until it is enabled', async () => {
  const rig = await partnerCliRig();
  await rig.createBars();
  expect((await rig.run('disable bars --yes')).out).toBe(
    "bars is disabled. It takes effect within 5 minutes, because the gateway caches the authorizer's response.",
  );
  expect(await rig.authorizes('bars-api', firstSecret)).toBe(false);
  expect(await rig.json('enable bars')).toEqual({ partnerId: 'bars', disabled: false });
  expect(await rig.authorizes('bars-api', firstSecret)).toBe(true);
});
