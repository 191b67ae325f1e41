import { expect, test } from 'vitest';
import { noHistory, type Progress } from '../../../shared/callbacks/rows/callback-store.ts';
import { newLogin } from '../../../shared/partners/credentials.ts';
import { fillPartner } from '../../rehearsal/sample-partner.ts';
import { noon } from '../../support/clock.ts';
import { operatorPolicy } from '../../support/operator-policies.ts';
import { partnerCliRig } from './partner-cli-rig.ts';

/** The second login that this command line makes, which the rig's ids determine. */
const till = newLogin('bars', Buffer.alloc(16, 2).toString('base64url'));

/** Every command, in an order in which each has something to do. */
const everyday = [
  'create bars --login bars-api --offer bars-of-moscow',
  'show bars',
  'list',
  'offers add bars bars-of-kazan',
  'offers remove bars bars-of-kazan --yes',
  'limits bars --pushes-per-minute 10 --check-in-minutes 30 --offer bars-of-moscow',
  'keys create bars --role cash-desk --place bar-1',
  `keys limit bars ${till} --offer bars-of-moscow`,
  'keys list bars',
  `keys revoke bars ${till} --yes`,
  'keys rotate bars',
  'keys retire bars --yes',
  'callback set bars --url https://bars.example/callback',
  'callback disable bars --yes',
  'callback enable bars',
  'callback rotate bars',
  'callback retire bars --yes',
  'callbacks list bars',
  'callbacks replay bars --message m1',
  'callbacks replay bars --skipped --yes',
  'events bars',
  'disable bars --yes',
  'enable bars',
];
const erasing = ['forget 79000000000 --yes', 'disable bakery --yes', 'erase bakery --yes'];

test('what the policies for partners and erasure allow is what the commands call, and no more', async () => {
  const rig = await partnerCliRig();
  const skipped: Progress = { ...noHistory, status: 'skipped', reason: 'disabled' };
  const callback = { partnerId: 'bars', state: 'DELIVERED', msisdn: 79001234567, changedAt: noon } as const;
  for (const messageId of ['m1', 'm2']) await rig.callbacks.create({ ...callback, messageId }, skipped, noon);
  const bakery = { partnerId: 'bakery', offerId: 'bakery-club', firstNumber: 79_000_000_000 };
  await fillPartner(rig.table, { ...bakery, places: 5, nowMs: noon });
  for (const line of [...everyday, ...erasing])
    expect([line, await rig.run(line)]).toMatchObject([line, { exit: 0, err: '' }]);
  rig.engine.standForAws();
  expect((await rig.exactly('list --stage dev')).err).toBe(
    'Stage dev has no table in this account and region.',
  );
  expect(rig.engine.unused(operatorPolicy('partners'))).toEqual([]);
  expect(rig.engine.unused(operatorPolicy('erase'))).toEqual([]);
});
