import { expect, test } from 'vitest';
import { fails, partnerCliRig, secondSigningSecret, thirdSigningSecret } from './partner-cli-rig.ts';

const url = 'https://bars.example/callback';

async function withEndpoint() {
  const rig = await partnerCliRig();
  await rig.createBars();
  const set = await rig.run(`callback set bars --url ${url}`);
  return { rig, set };
}

async function settings(rig: Awaited<ReturnType<typeof partnerCliRig>>) {
  return (await rig.endpoints.view('bars')).endpoint;
}

test('the first callback set generates a signing secret and prints it once', async () => {
  const { rig, set } = await withEndpoint();
  expect(set).toEqual({
    exit: 0,
    out: `bars is called back at https://bars.example/callback, without HTTP Basic, 15000 ms for an attempt. It takes effect within 5 seconds, in all workers.

  Signing secret  whsec_AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI=

This is the only time it is shown. Hand it over where nobody else reads it.`,
    err: '',
  });
  expect((await settings(rig))?.signingSecrets).toMatchObject([{ secret: secondSigningSecret }]);
  expect((await rig.run('show bars')).out).not.toContain('whsec_');
  expect(JSON.stringify(await rig.json('show bars'))).not.toContain('whsec_');
});

test('rule 51: a later one changes what its options name and keeps the rest, but no password for another server', async () => {
  const { rig } = await withEndpoint();
  const set = `callback set bars --url ${url} --login us --password-stdin --timeout-ms 900 --log all`;
  const shown = { partnerId: 'bars', mode: 'post', url, status: 'enabled', timeoutMs: 900 };
  expect(await rig.json(`${set} --max-per-second 50 --only OPENED`, { pipes: 'their password\n' })).toEqual({
    ...{ ...shown, basicLogin: 'us', log: 'all', maxPerSecond: 50, states: ['OPENED'] },
  });
  const moved = `${url}/other`;
  await rig.run(`callback set bars --url ${moved}`);
  const kept = {
    partnerId: 'bars',
    url: moved,
    basic: { login: 'us', secret: 'their password' },
    signingSecrets: [{ secret: secondSigningSecret, createdAt: 1779278400000 }],
    timeoutMs: 900,
    log: 'all',
    maxPerSecond: 50,
    states: ['OPENED'],
    status: 'enabled',
  };
  expect(await settings(rig)).toEqual(kept);
  expect(await rig.run('callback set bars --url https://new.example/in')).toEqual(
    fails(
      2,
      'The stored password is for another address: add --login and --password-stdin, or --no-login. Nothing was changed.',
    ),
  );
  expect(await settings(rig)).toEqual(kept);
  await rig.run('callback set bars --url https://new.example/in --no-login --no-max-per-second --no-only');
  expect(Object.keys((await settings(rig)) ?? {})).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/basic|maxPerSecond|states/)]),
  );
});

test.each([
  ['--url ftp://bars.example', 'The URL must be https: nothing was changed.'],
  ['--mode post', 'The URL is required the first time: nothing was changed.'],
  ['--url http://127.0.0.1:3000/callbacks/test', 'The URL is this service: nothing was changed.'],
  [`--url ${url} --login us`, '--login and --password-stdin go together.'],
])('callback set %s is refused', async (options, err) => {
  const rig = await partnerCliRig();
  await rig.createBars();
  expect(await rig.run(`callback set bars ${options}`)).toEqual(fails(2, err));
  expect(await settings(rig)).toBeUndefined();
});

test('rule 58: a partner that reads its callbacks from the feed needs no address', async () => {
  const rig = await partnerCliRig();
  await rig.createBars();
  await rig.run('callback set bars --mode feed');
  expect((await rig.run('show bars')).out).toContain(
    'Mode     feed: the partner reads its callbacks itself\n  URL      none',
  );
  expect((await rig.run(`callback set bars --url ${url}`)).out).toContain(
    'bars reads its callbacks from the feed. The address is stored: --mode post uses it.',
  );
});

test('callbacks are disabled and enabled, and show says which', async () => {
  const { rig } = await withEndpoint();
  expect((await rig.run('callback disable bars --yes')).out).toBe(
    'Callbacks of bars are disabled, and kept as skipped for 30 days. It takes effect within 5 seconds, in all workers.',
  );
  expect((await rig.run('show bars')).out.split('\n\n')[3]).toBe(`Callbacks
  Mode     post
  URL      https://bars.example/callback
  State    disabled: by an operator, since 2026-05-20T12:00:00Z
  Health   no failure since the last success
  Basic    none
  Timeout  15000 ms
  Log      as the stage has it: all where the wallet is simulated, else failures
  Pace     no limit
  States   all
  Signing  created 2026-05-20T12:00:00Z`);
  expect(await rig.run('callback disable bars --yes')).toEqual(
    fails(1, 'Callbacks of bars are disabled already.'),
  );
  expect((await rig.run(`callback set bars --url ${url}`)).out).toContain(
    'It is still disabled: npm run partner -- callback enable bars',
  );
  expect((await rig.run('callback enable bars')).out).toContain(
    'What was skipped is kept: npm run partner -- callbacks replay bars --skipped',
  );
  expect(await settings(rig)).toMatchObject({ status: 'enabled' });
});

test('a signing secret is rotated in two steps, and a third one refused', async () => {
  const { rig } = await withEndpoint();
  const secrets = async () => (await settings(rig))?.signingSecrets.map(({ secret }) => secret);
  rig.clock.advance(1_000);
  const { out } = await rig.run('callback rotate bars');
  expect(out).toContain('  Signing secret  whsec_AwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwM=\n');
  expect(out).toContain('When bars verifies with it: npm run partner -- callback retire bars');
  expect(await secrets()).toEqual([secondSigningSecret, thirdSigningSecret]);
  expect(await rig.run('callback rotate bars')).toEqual(
    fails(
      1,
      'bars has two signing secrets already: retire the older if the newer is known, or rotate with --replace if it is not.',
    ),
  );
  await rig.run('callback retire bars --yes');
  expect(await secrets()).toEqual([thirdSigningSecret]);
  expect(await rig.run('callback retire bars --yes')).toEqual(
    fails(1, 'There is one signing secret of bars only: rotate first.'),
  );
});
