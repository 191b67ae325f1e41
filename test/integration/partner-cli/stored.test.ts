import { expect, test } from 'vitest';
import { runPartner } from '../../../ops/partner/program.ts';
import { noHistory } from '../../../shared/callbacks/rows/callback-store.ts';
import { partnerStore } from '../../../shared/partners/partner-store.ts';
import { endpointKey } from '../../../shared/platform/table/row-keys/callbacks.ts';
import { loginKey, partnerKey } from '../../../shared/platform/table/row-keys/partners.ts';
import type { RowKey } from '../../../shared/platform/table/row-keys/row-key.ts';
import { updateExpression, updateRow } from '../../../shared/platform/table/rows.ts';
import { noon } from '../../support/clock.ts';
import { inEachTest } from '../../support/in-each-test.ts';
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
  /** Makes one more key, of a cash desk. */
  const cashDesk = async (options = '') =>
    (await rig.json(`keys create bars --role cash-desk ${options}`)) as { login: string; secret: string };
  return { ...rig, endpoint, working, cashDesk };
}

const rig = inEachTest(barsRig);

test('of two that create one partner at once, one does', async () => {
  const rig = await partnerCliRig();
  const runs = await Promise.all(
    ['a', 'b'].map((one) => rig.run(`create bars --login ${one} --offer ${one}`)),
  );
  expect(runs.map(({ exit }) => exit).sort()).toEqual([0, 1]);
  expect(await rig.table.rows()).toHaveLength(3);
});

test('list names the rows that are damaged or missing, shows the other partners and fails', async () => {
  for (const one of ['bakery', 'cafe', 'deli'])
    await rig.run(`create ${one} --login ${one}-api --offer ${one}`);
  const damage = (Key: RowKey, set: Record<string, unknown>) =>
    updateRow(rig.table, { Key, ...updateExpression({ set }) });
  await damage(loginKey('bakery-api'), { disabled: 'yes' });
  await damage(partnerKey('cafe'), { logins: 'cafe-api' });
  await rig.remove('ACCOUNT#deli-api -');
  const err =
    "Rows are damaged or missing, and their partners not listed. Options of npm run restore for each: --partner cafe --kind 'partner entry'; --rows 'ACCOUNT#bakery-api'; --rows 'ACCOUNT#deli-api'";
  const head = 'PARTNER  LOGIN     STATE    SECRETS  OFFERS';
  const line = 'bars     bars-api  enabled  1        bars-of-moscow';
  expect(await rig.run('list')).toEqual({ exit: 1, out: `${head}\n${line}`, err });
  const { exit, out } = await rig.run('list --json');
  expect([exit, JSON.parse(out)]).toMatchObject([1, { partners: [{ partnerId: 'bars' }] }]);
});

test('what is agreed and who is disabled is in force at the authorizer', async () => {
  await rig.run('offers add bars bars-of-tver');
  const limits = 'limits bars --pushes-per-minute 5000 --check-in-minutes 30 --offer bars-of-moscow';
  expect(await rig.json(limits)).toMatchObject({
    pushesPerMinute: { value: 5_000, agreed: true },
    multiMessages: { value: 1_000, agreed: false },
    checkInMinutes: {
      'bars-of-moscow': { value: 30, agreed: true },
      'bars-of-tver': { value: 120, agreed: false },
    },
  });
  expect((await rig.run('show bars')).out).toContain('\nCallbacks\n  no endpoint');
  const partners = partnerStore(rig.table);
  expect(await partners.offer('bars-of-moscow')).toMatchObject({ checkInLifetimeMs: 1_800_000 });
  const ofOffer = await rig.json('limits bars --default check-in-minutes --offer bars-of-moscow');
  expect(ofOffer).toMatchObject({ checkInMinutes: { 'bars-of-moscow': { value: 120, agreed: false } } });
  await rig.run('offers remove bars bars-of-moscow --yes');
  const agreed = { offerIds: ['bars-of-tver'], limits: { pushesPerMinute: 5000 } };
  expect(await partners.key('bars-api')).toMatchObject(agreed);
  expect(await partners.offer('bars-of-moscow')).toBeUndefined();
  await rig.run('disable bars --yes');
  expect(await rig.working()).toEqual([false, false, false]);
  await rig.run('enable bars');
  expect(await rig.working()).toEqual([true, false, false]);
  const reset = await rig.json('limits bars --default pushes-per-minute');
  expect(reset).toMatchObject({ pushesPerMinute: { value: 100_000, agreed: false } });
});

test('of several keys the one that is named is rotated, and the older of its secrets is ended', async () => {
  const till = await rig.cashDesk();
  rig.clock.advance(1_000);
  const { out } = await rig.run(`keys rotate bars ${till.login}`);
  const [rotated = ''] = /[\w-]{43}/.exec(out) ?? [];
  expect(await rig.authorizes(till.login, rotated)).toBe(true);
  expect(JSON.stringify(await rig.table.rows())).not.toContain(rotated);
  await rig.run(`keys retire bars ${till.login} --yes`);
  expect(await rig.authorizes(till.login, till.secret)).toBe(false);
  expect(await rig.working()).toEqual([true, false, false]);
});

test('rules 31 and 50: a key gets the limits that its command names and keeps the others, and the last full one has none', async () => {
  const { login, secret } = await rig.cashDesk('--place p1');
  const limits = async () => {
    const { onlyOfferIds, placeIds } = (await partnerStore(rig.table).key(login)) ?? {};
    return { onlyOfferIds, placeIds };
  };
  expect(await limits()).toEqual({ placeIds: ['p1'] });
  await rig.run(`keys limit bars ${login} --place p2 --place p3`);
  expect(await limits()).toEqual({ placeIds: ['p2', 'p3'] });
  const both = { onlyOfferIds: ['bars-of-moscow'], placeIds: ['p2'] };
  for (const [options, then] of [
    ['--offer bars-of-moscow', { ...both, placeIds: ['p2', 'p3'] }],
    ['--no-place --place p2', both],
    ['', both],
    ['--no-place', { onlyOfferIds: ['bars-of-moscow'] }],
    ['--no-offer --place p2', { placeIds: ['p2'] }],
    ['--offer bars-of-moscow', both],
  ] as const) {
    rig.clock.advance(1_000);
    const { exit } = await rig.run(`keys limit bars ${login} ${options}`);
    expect([options, exit, await limits()]).toEqual([options, options === '' ? 2 : 0, then]);
  }
  const { events } = (await rig.json('events bars --kind limits.changed')) as { events: { data: unknown }[] };
  expect(events.map(({ data }) => data)).toEqual(
    [
      'offers (bars-of-moscow)',
      'offers (no limit), service points (p2)',
      'service points (no limit)',
      'service points (p2)',
      'offers (bars-of-moscow)',
      'service points (2)',
    ].map((what) => ({ login, what })),
  );
  for (const refused of [
    `${login} --offer bakery-club`,
    'bars-api --offer bars-of-moscow',
    'nobodys-key --no-offer',
  ])
    expect([refused, (await rig.run(`keys limit bars ${refused}`)).exit]).toEqual([refused, 1]);
  expect((await rig.run('keys limit bars bars-api --place p1')).exit).toBe(2);
  expect((await partnerStore(rig.table).key('bars-api'))?.onlyOfferIds).toBeUndefined();
  await rig.run(`keys limit bars ${login} --no-offer --no-place`);
  expect(await limits()).toEqual({});
  expect((await rig.run('keys revoke bars bars-api --yes')).exit).toBe(1);
  await rig.run(`keys revoke bars ${login} --yes`);
  expect([await rig.authorizes(login, secret), await rig.working()]).toEqual([false, [true, false, false]]);
});

test('callback retire ends the secret that it has named, and none that has become the older one since', async () => {
  await rig.run(`callback set bars --url ${url}`);
  const next = async () => {
    rig.clock.advance(1_000);
    await rig.run('callback rotate bars');
  };
  await next();
  const response = async () => {
    await rig.run('callback retire bars --yes');
    await next();
    return 'bars';
  };
  expect(await rig.run('callback retire bars', { response })).toMatchObject({
    exit: 1,
    err: expect.stringContaining('changed by somebody else at the same moment, nothing was done'),
  });
  expect((await rig.endpoints.view('bars')).endpoint?.signingSecrets).toHaveLength(2);
});

test('a partner begins with 98 offers at most, and has 100 at most', async () => {
  const offers = (count: number) => Array.from({ length: count }, (_, n) => `--offer shop-${n}`).join(' ');
  const create = (count: number) => rig.run(`create shops --login shops ${offers(count)}`);
  const err = 'It takes 98 offers at most: add the others with offers add.';
  expect(await create(99)).toEqual({ exit: 2, out: '', err });
  expect((await create(98)).exit).toBe(0);
  const exits = [];
  for (const offer of ['a', 'b', 'c']) exits.push((await rig.run(`offers add shops ${offer}`)).exit);
  expect(exits).toEqual([0, 0, 1]);
});

test('rule 51: callback set changes what its options name and keeps the rest, but no password for another server', async () => {
  const all = '--login us --password-stdin --timeout-ms 900 --log all --max-per-second 50 --only OPENED';
  const set = `callback set bars --url ${url} ${all}`;
  expect((await rig.run(set, { pipes: 'caf\ufffd\n' })).err).toBe(
    'The password must be one line of 1 to 512 characters of UTF-8: nothing was changed.',
  );
  // Some editors write a byte order mark.
  await rig.run(set, { pipes: '\ufefftheir password\n' });
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
  await rig.run('callback set bars --no-only --only OPENED');
  await rig.run('callback set bars --timeout-ms 800');
  const last = { url: 'https://new.example/in', states: ['OPENED'], timeoutMs: 800 };
  expect(await rig.endpoint()).toEqual({ ...rest, ...last });
});

test('a partner that sets an address with control characters adds no line to what the operator sees', async () => {
  await rig.run(`callback set bars --url ${url}`);
  const set = { url: `${url}\nbars is called back at https://other.example/\u001B[1A` };
  await updateRow(rig.table, { Key: endpointKey('bars', 'SETTINGS'), ...updateExpression({ set }) });
  for (const command of ['callback set bars --mode post', 'show bars', 'show bars --json']) {
    const { out } = await rig.run(command);
    expect(out).toContain(`${url}\\`);
    expect(out).not.toContain('\u001B');
    expect(out.split('\n').filter((line) => line.startsWith('bars is called'))).toHaveLength(
      command.includes('set') ? 1 : 0,
    );
  }
});

test('a replay that breaks off clears its progress, so that the error has a line of its own', async () => {
  await rig.run(`callback set bars --url ${url}`);
  const callback = { partnerId: 'bars', messageId: 'm1', state: 'OPENED', msisdn: 79001234567 } as const;
  const skipped = { ...noHistory, status: 'skipped', reason: 'disabled' } as const;
  await rig.callbacks.create({ ...callback, changedAt: noon }, skipped, noon);
  const shown: string[] = [];
  const progress = (text: string) => {
    shown.push(text);
    // No further call is allowed.
    rig.engine.under([]);
  };
  const terminal = { print: () => {}, printError: () => {}, progress };
  const words = ['callbacks', 'replay', 'bars', '--status=skipped', '--yes', `--state=${rig.stateDir}`];
  expect(await runPartner(words, { ...rig, terminal })).toBe(1);
  expect(shown).toEqual(['1 of 1 callback', '']);
});
