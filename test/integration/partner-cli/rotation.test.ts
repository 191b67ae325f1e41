import { expect, test } from 'vitest';
import { fails, firstSecret, partnerCliRig, secondSecret, thirdSecret } from './partner-cli-rig.ts';

async function withTwoSecrets() {
  const rig = await partnerCliRig();
  await rig.createBars();
  rig.clock.advance(1_000);
  const rotated = await rig.run('keys rotate bars');
  const working = () =>
    Promise.all([firstSecret, secondSecret, thirdSecret].map((one) => rig.authorizes('bars-api', one)));
  return { rig, rotated, working };
}

test('rule 31: a second secret is printed once and works beside the first, a third is refused, and retire ends the older', async () => {
  const { rig, rotated, working } = await withTwoSecrets();
  expect(rotated.out).toBe(`bars-api has a second secret. It works at once, and the first one goes on working.

  Login   bars-api
  Secret  AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI

This is the only time it is shown. Hand it over where nobody else reads it.

When bars has changed over: npm run partner -- keys retire bars bars-api --state ${rig.stateDir}`);
  expect(await rig.stored()).not.toContain(secondSecret);
  expect(await rig.run('keys rotate bars')).toEqual(
    fails(
      1,
      'bars-api has two secrets already: retire the older if the newer is known, or rotate with --replace if it is not.',
    ),
  );
  expect(await working()).toEqual([true, true, false]);
  await rig.run('keys retire bars', { response: 'bars' });
  expect(rig.questions).toEqual([
    `The secret of bars-api created 2026-05-20T12:00:00Z will not work any more; the one created 2026-05-20T12:00:01Z stays.
Type the partner's id to go on: `,
  ]);
  expect(await working()).toEqual([false, true, false]);
  expect((await rig.run('keys retire bars --yes')).err).toBe(
    'There is one secret of bars-api only: rotate first.',
  );
});

test('rule 63: --replace ends the newer secret, which was lost, and prints another', async () => {
  const { rig, working } = await withTwoSecrets();
  const replaced = { partnerId: 'bars', login: 'bars-api', secret: thirdSecret, secrets: 2 };
  expect(await rig.json('keys rotate bars --replace')).toEqual(replaced);
  expect(await working()).toEqual([true, false, true]);
});

test('of several keys the one that is named is rotated, and none when none is named', async () => {
  const rig = await partnerCliRig();
  await rig.createBars();
  const till = (await rig.json('keys create bars --role cash-desk')) as { login: string; secret: string };
  const unnamed = fails(
    1,
    `bars has 2 keys, add the login of one of them: bars-api (full), ${till.login} (cash-desk).`,
  );
  expect(await rig.run('keys rotate bars')).toEqual(unnamed);
  expect(await rig.run('keys retire bars --yes')).toEqual(unnamed);
  rig.clock.advance(1_000);
  await rig.run(`keys rotate bars ${till.login}`);
  await rig.run(`keys retire bars ${till.login} --yes`);
  expect(await rig.authorizes(till.login, till.secret)).toBe(false);
  expect(await rig.authorizes('bars-api', firstSecret)).toBe(true);
});
