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
  expect(await settings(rig)).toEqual({
    partnerId: 'bars',
    url: 'https://bars.example/callback',
    signingSecrets: [{ secret: secondSigningSecret, createdAt: 1779278400000 }],
    timeoutMs: 15000,
    status: 'enabled',
  });
  expect((await rig.run('show bars')).out).not.toContain('whsec_');
  expect(JSON.stringify(await rig.json('show bars'))).not.toContain('whsec_');
});

test('a later one changes what its options name and keeps the rest', async () => {
  const { rig } = await withEndpoint();
  const line =
    'callback set bars --url https://new.example/in --login us --password-stdin --timeout-ms 900 --log all';
  expect(await rig.json(line, { pipes: 'their password\n' })).toEqual({
    partnerId: 'bars',
    mode: 'post',
    url: 'https://new.example/in',
    status: 'enabled',
    timeoutMs: 900,
    basicLogin: 'us',
    log: 'all',
    maxPerSecond: null,
    states: null,
  });
  await rig.run('callback set bars --url https://new.example/other');
  expect(await settings(rig)).toEqual({
    partnerId: 'bars',
    url: 'https://new.example/other',
    basic: { login: 'us', secret: 'their password' },
    signingSecrets: [{ secret: secondSigningSecret, createdAt: 1779278400000 }],
    timeoutMs: 900,
    log: 'all',
    status: 'enabled',
  });
  await rig.run(`callback set bars --url ${url} --no-login`);
  expect((await settings(rig))?.basic).toBeUndefined();
});

test('rule 51: an address on another server needs the password again, or none', async () => {
  const { rig } = await withEndpoint();
  const set = 'callback set bars --url https://new.example/in';
  await rig.run(`callback set bars --url ${url} --login us --password-stdin`, { pipes: 'their password\n' });
  const before = await settings(rig);
  expect(await rig.run(`${set} --timeout-ms 900`)).toEqual(
    fails(
      2,
      'The stored password is for another address: add --login and --password-stdin, or --no-login. Nothing was changed.',
    ),
  );
  expect(await settings(rig)).toEqual(before);
  await rig.run(`${set} --login us --password-stdin`, { pipes: 'their password\n' });
  expect(await settings(rig)).toMatchObject({ url: 'https://new.example/in', basic: { login: 'us' } });
  await rig.run(`callback set bars --url ${url} --no-login`);
  expect((await settings(rig))?.basic).toBeUndefined();
});

test('a pace and chosen states are set, shown, kept, and removed', async () => {
  const { rig } = await withEndpoint();
  const set = `callback set bars --url ${url}`;
  expect((await rig.run(`${set} --max-per-second 50 --only OPENED`)).out).toContain(
    'At most 50 callbacks a second.\n\nOnly about OPENED.',
  );
  await rig.run(set);
  expect((await rig.run('show bars')).out).toContain(`
  Pace     50 a second at most
  States   OPENED
`);
  expect(await rig.json(`${set} --no-max-per-second --no-only`)).toMatchObject({
    maxPerSecond: null,
    states: null,
  });
});

test.each([
  ['--url ftp://bars.example', 'The URL must be https: nothing was changed.'],
  ['--mode post', 'The URL is required the first time: nothing was changed.'],
  ['--url http://127.0.0.1:3000/callbacks/test', 'The URL is this service: nothing was changed.'],
  ['--timeout-ms 5', 'It needs --url or --mode.'],
  [
    `--url ${url} --timeout-ms 30001`,
    "error: option '--timeout-ms <n>' argument '30001' is invalid. It takes a whole number from 1 to 30000.",
  ],
  [`--url ${url} --login us`, '--login and --password-stdin go together.'],
  [`--url ${url} --login us --password-stdin`, '--password-stdin reads what is piped in: add < file.'],
])('callback set %s is refused', async (options, err) => {
  const rig = await partnerCliRig();
  await rig.createBars();
  expect(await rig.run(`callback set bars ${options}`)).toEqual({ exit: 2, out: '', err });
  expect(await settings(rig)).toBeUndefined();
});

test('rule 58: a partner that reads its callbacks from the feed needs no address', async () => {
  const rig = await partnerCliRig();
  await rig.createBars();
  const { out } = await rig.run('callback set bars --mode feed');
  expect(out).toContain('bars reads its callbacks from the feed.');
  expect((await rig.run('show bars')).out).toContain(
    'Mode     feed: the partner reads its callbacks itself\n  URL      none',
  );
});

test('callbacks are disabled and enabled, and show says which', async () => {
  const { rig } = await withEndpoint();
  expect(await rig.run('callback disable bars --yes')).toEqual({
    exit: 0,
    out: 'Callbacks of bars are disabled, and kept as skipped for 30 days. It takes effect within 5 seconds, in all workers.',
    err: '',
  });
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
  expect(await rig.run('callback disable bars --yes')).toMatchObject({
    exit: 1,
    err: 'Callbacks of bars are disabled already.',
  });
  expect((await rig.run(`callback set bars --url ${url}`)).out).toContain(
    'It is still disabled: npm run partner -- callback enable bars',
  );
  expect(await rig.run('callback enable bars')).toEqual({
    exit: 0,
    out: `Callbacks of bars are enabled. It takes effect within 5 seconds, in all workers.
What was skipped is kept: npm run partner -- callbacks replay bars --skipped`,
    err: '',
  });
  expect(await settings(rig)).toMatchObject({ status: 'enabled' });
  expect((await rig.endpoints.view('bars')).circuit).toMatchObject({ closedAt: 1779278400000 });
});

test('a signing secret is rotated in two steps, and a third one refused', async () => {
  const { rig } = await withEndpoint();
  rig.clock.advance(1_000);
  expect(await rig.run('callback rotate bars')).toEqual({
    exit: 0,
    out: `Callbacks of bars carry a second signature. It takes effect within 5 seconds, in all workers.

  Signing secret  whsec_AwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwM=

This is the only time it is shown. Hand it over where nobody else reads it.

When bars verifies with it: npm run partner -- callback retire bars`,
    err: '',
  });
  expect((await settings(rig))?.signingSecrets.map(({ secret }) => secret)).toEqual([
    secondSigningSecret,
    thirdSigningSecret,
  ]);
  expect(await rig.run('callback rotate bars')).toMatchObject({
    exit: 1,
    err: 'bars has two signing secrets already: retire the older if the newer is known, or rotate with --replace if it is not.',
  });
  expect(await rig.run('callback retire bars --yes')).toMatchObject({
    exit: 0,
    out: 'The signing secret of bars created 2026-05-20T12:00:00Z is ended. It takes effect within 5 seconds, in all workers.',
  });
  expect((await settings(rig))?.signingSecrets.map(({ secret }) => secret)).toEqual([thirdSigningSecret]);
  expect(await rig.run('callback retire bars --yes')).toMatchObject({
    exit: 1,
    err: 'There is one signing secret of bars only: rotate first.',
  });
});

test.each([
  'callback enable bars',
  'callback disable bars --yes',
  'callback rotate bars',
  'callbacks replay bars --skipped --yes',
])('%s needs an endpoint', async (line) => {
  const rig = await partnerCliRig();
  await rig.createBars();
  expect(await rig.run(line)).toEqual(
    fails(1, 'bars has no callback endpoint: the command callback set makes one.'),
  );
});
