import { expect, test } from 'vitest';
import { partnerStore } from '../../../shared/partners/partner-store.ts';
import { partnerCliRig } from './partner-cli-rig.ts';

const firstSecret = 'AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE';
const secondSecret = 'AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI';
const thirdSecret = 'AwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwM';
const url = 'https://bars.example/callback';

async function barsRig() {
  const rig = await partnerCliRig();
  await rig.createBars();
  rig.clock.advance(1_000);
  const endpoint = async () => (await rig.endpoints.view('bars')).endpoint;
  const working = () =>
    Promise.all([firstSecret, secondSecret, thirdSecret].map((one) => rig.authorizes('bars-api', one)));
  return { ...rig, endpoint, working };
}

test('of two that create one partner at once, one does', async () => {
  const rig = await partnerCliRig();
  const runs = await Promise.all(
    ['a', 'b'].map((one) => rig.run(`create bars --login ${one} --offer ${one}`)),
  );
  expect(runs.map(({ exit }) => exit).sort()).toEqual([0, 1]);
  expect(await rig.table.rows()).toHaveLength(3);
});

test('rule 31: a second secret works beside the first, retire ends the older, and the table knows neither', async () => {
  const rig = await barsRig();
  await rig.run('keys rotate bars');
  expect(await rig.working()).toEqual([true, true, false]);
  const rows = JSON.stringify(await rig.table.rows());
  expect([firstSecret, secondSecret].filter((secret) => rows.includes(secret))).toEqual([]);
  await rig.run('keys retire bars --yes');
  expect(await rig.working()).toEqual([false, true, false]);
});

test('what is agreed and who is disabled is in force at the authorizer', async () => {
  const rig = await barsRig();
  await rig.run('limits bars --pushes-per-minute 5000 --check-in-minutes 30 --offer bars-of-moscow');
  const partners = partnerStore(rig.table);
  expect((await partners.key('bars-api'))?.limits).toEqual({ pushesPerMinute: 5000 });
  expect((await partners.offer('bars-of-moscow'))?.checkInLifetimeMs).toBe(1_800_000);
  await rig.run('disable bars --yes');
  expect(await rig.working()).toEqual([false, false, false]);
  await rig.run('enable bars');
  expect(await rig.working()).toEqual([true, false, false]);
});

test('rule 51: callback set changes what its options name and keeps the rest, but no password for another server', async () => {
  const rig = await barsRig();
  const all = '--login us --password-stdin --timeout-ms 900 --log all --max-per-second 50 --only OPENED';
  await rig.run(`callback set bars --url ${url} ${all}`, { pipes: 'their password\n' });
  await rig.run(`callback set bars --url ${url}/other`);
  const kept = {
    partnerId: 'bars',
    url: `${url}/other`,
    basic: { login: 'us', secret: 'their password' },
    signingSecrets: [{ secret: `whsec_${secondSecret}=`, createdAt: 1779278401000 }],
    timeoutMs: 900,
    log: 'all',
    maxPerSecond: 50,
    states: ['OPENED'],
    status: 'enabled',
  };
  expect(await rig.endpoint()).toEqual(kept);
  expect((await rig.run('callback set bars --url https://new.example/in')).exit).toBe(2);
  expect(await rig.endpoint()).toEqual(kept);
  await rig.run('callback set bars --url https://new.example/in --no-login --no-max-per-second --no-only');
  const { basic: _, maxPerSecond: __, states: ___, ...rest } = kept;
  expect(await rig.endpoint()).toEqual({ ...rest, url: 'https://new.example/in' });
});
