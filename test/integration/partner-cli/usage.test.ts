import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, inject, test, vi } from 'vitest';
import { connectTable } from '../../../shared/platform/table/table.ts';
import { createPlainTable } from '../../rehearsal/copy-table.ts';
import { noon } from '../../support/clock.ts';
import { fails, firstSecret, partnerCliRig } from './partner-cli-rig.ts';

afterEach(() => vi.unstubAllEnvs());

test('the help of callback rotate, whole', async () => {
  const rig = await partnerCliRig();
  expect((await rig.exactly('callback rotate --help')).out).toBe(
    `Usage: npm run partner -- callback rotate [options] <partnerId>

Signs callbacks with a second secret too.

Options:
  --replace         Replace the newer of two secrets: it was lost
  -h, --help        display help for command

Global Options:
  --state <folder>  The state folder of the local service (default: ".local")
  --stage <stage>   A deployed stage instead: dev, sandbox, staging, prod
  --table <name>    A table in AWS instead, by its name
  --yes             Go on without typing what the command prompts for
  --json            Print one JSON document and nothing else

A rotation takes two steps:
  1. callback rotate <partnerId>   makes the new secret and prints it this once
  2. callback retire <partnerId>   when the partner uses the new one
Callbacks carry both signatures until then. The service stores the secrets as they are: it signs with them.
A third secret is refused.`,
  );
});

const offer = 'must have 1 to 64 letters, digits, dots, hyphens or underscores.';

test.each([
  ['lis bars', "error: unknown command 'lis'\n(Did you mean list?)"],
  ['list --fast', "error: unknown option '--fast'"],
  ['show', "error: missing required argument 'partnerId|login'"],
  [
    'list --table a --stage prod',
    "error: option '--stage <stage>' cannot be used with option '--table <name>'",
  ],
  [
    'list --stage production',
    "error: option '--stage <stage>' argument 'production' is invalid. It takes one of dev, sandbox, staging, prod.",
  ],
  ['create bars --login bars-api', "error: required option '--offer <id>' not specified"],
  [
    'create b#rs --login b --offer o',
    `error: command-argument value 'b#rs' is invalid for argument 'partnerId'. It ${offer}`,
  ],
  [
    'create bars --login b:a --offer o',
    "error: option '--login <login>' argument 'b:a' is invalid. It must have 1 to 128 visible ASCII characters and no colon or slash.",
  ],
  [
    'create bars --login b --offer o#o',
    `error: option '--offer <id>' argument 'o#o' is invalid. It ${offer}`,
  ],
  [
    'keys create bars --role full --place bar-1',
    '--place: only a key of the role cash-desk can be limited to service points.',
  ],
])('%s is wrong usage', async (line, err) => {
  const rig = await partnerCliRig();
  await rig.createBars();
  const options = line.includes('--table') || line.includes('--stage') ? '' : ` --state ${rig.stateDir}`;
  expect(await rig.exactly(`${line}${options}`)).toEqual({ exit: 2, out: '', err });
});

test.each(['', 'offers'])('no command behind "%s" is wrong usage, answered with the help', async (line) => {
  const rig = await partnerCliRig();
  const { exit, err } = await rig.exactly(line);
  expect([exit, err]).toEqual([2, (await rig.exactly(`${line} --help`)).out]);
});

test('options of all commands are also taken before the command', async () => {
  const rig = await partnerCliRig();
  await rig.createBars();
  const { exit, out } = await rig.exactly(`--state ${rig.stateDir} --json list`);
  expect([exit, JSON.parse(out)]).toMatchObject([0, { partners: [{ partnerId: 'bars' }] }]);
});

test.each([
  ['limits bars --check-in-minutes 5', 'A change of check-in-minutes and --offer go together.'],
  ['callbacks replay bars', 'It needs --message, --skipped, or a time.'],
  [
    'erase bars --units-per-second 0',
    "error: option '--units-per-second <n>' argument '0' is invalid. It takes a whole number from 1 to 1000000.",
  ],
  ['forget seven', 'msisdn must be a whole number of 7 to 15 digits.'],
])('%s is refused before anything is asked or read', async (line, err) => {
  const rig = await partnerCliRig();
  expect(await rig.exactly(`${line} --state no-such-folder`, { response: 'bars' })).toEqual({
    exit: 2,
    out: '',
    err,
  });
  expect(rig.questions).toEqual([]);
});

test.each([
  'offers add nobody o',
  'offers remove nobody o --yes',
  'limits nobody',
  'keys rotate nobody',
  'keys retire nobody',
  'disable nobody --yes',
  'enable nobody',
  'callback set nobody --url https://a.example',
  'callback enable nobody',
  'callback disable nobody --yes',
  'callback rotate nobody',
  'callback retire nobody',
  'callbacks list nobody',
  'callbacks replay nobody --message m',
  'keys list nobody',
  'keys create nobody --role full',
  'keys limit nobody till',
  'keys revoke nobody till --yes',
])('%s finds nobody', async (line) => {
  const rig = await partnerCliRig();
  expect(await rig.run(line)).toEqual(fails(1, 'There is no partner "nobody": the command list shows all.'));
});

const dangerous = [
  'disable bars',
  'offers remove bars bars-of-moscow',
  'keys retire bars',
  'callback disable bars',
  'callback retire bars',
  'callbacks replay bars --skipped',
];

async function readyForDanger() {
  const rig = await partnerCliRig();
  await rig.createBars();
  rig.clock.advance(1_000);
  await rig.run('keys rotate bars');
  await rig.run('callback set bars --url https://bars.example/callback');
  rig.clock.advance(1_000);
  await rig.run('callback rotate bars');
  const callback = {
    partnerId: 'bars',
    messageId: 'm1',
    state: 'DELIVERED',
    msisdn: 1,
    changedAt: noon,
  } as const;
  const skipped = { status: 'skipped', reason: 'disabled', tries: 0, attempts: [] } as const;
  await rig.callbacks.create(callback, { ...skipped, attempts: [] }, noon);
  return rig;
}

test.each(dangerous)('%s asks first, and needs --yes where nobody can answer', async (line) => {
  const rig = await readyForDanger();
  const before = await rig.table.rows();
  expect(await rig.run(line, { response: 'bar' })).toEqual(
    fails(1, 'That is not bars: nothing was changed.'),
  );
  expect(rig.questions).toHaveLength(1);
  expect(await rig.run(line)).toEqual(
    fails(2, "It prompts for the partner's id before it continues, and there is no terminal: add --yes."),
  );
  expect(await rig.table.rows()).toEqual(before);
  expect(await rig.run(line, { response: ' bars' })).toMatchObject({ exit: 0, err: '' });
});

test('a service that does not run is said in one sentence', async () => {
  const rig = await partnerCliRig();
  const stateDir = mkdtempSync(join(tmpdir(), 'partner-cli-test-'));
  const sentence = `The service does not run on ${stateDir}: start it with npm start, or name a deployed one with --stage.`;
  expect(await rig.exactly(`list --state ${stateDir}`)).toEqual({ exit: 1, out: '', err: sentence });
  // This is the state after a crash: the file exists, but nothing listens.
  const endpoints = { tableName: 'any', dynamodb: 'http://127.0.0.1:9', baseUrl: 'http://127.0.0.1:3000' };
  writeFileSync(join(stateDir, 'endpoints.json'), JSON.stringify(endpoints));
  expect(await rig.exactly(`list --state ${stateDir}`)).toEqual({ exit: 1, out: '', err: sentence });
});

/** Sets the usual environment variables of AWS, but with the test's engine as the endpoint. */
function stubAws() {
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', inject('dynamodbEndpoint'));
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
}

function createTable(name: string) {
  return createPlainTable(connectTable(name).client, name);
}

test('--stage finds the table that the stack of that stage made', async () => {
  const rig = await partnerCliRig();
  stubAws();
  expect(await rig.exactly('list --stage staging')).toEqual(
    fails(1, 'Stage staging has no table in this account and region.'),
  );
  await createTable('partner-integration-staging-data-Table-1A2B3C4D5E6F');
  await createTable('partner-integration-staging-data-TableOfSomebody');
  const created = await rig.exactly('create bars --login bars-api --offer bars-of-moscow --stage staging');
  expect(created).toMatchObject({ exit: 0, err: '' });
  expect((await rig.exactly('list --stage staging')).out).toBe(
    `PARTNER  LOGIN     STATE    SECRETS  OFFERS
bars     bars-api  enabled  1        bars-of-moscow`,
  );
  await createTable('partner-integration-staging-data-Table-6F5E4D3C2B1A');
  expect(await rig.exactly('list --stage staging')).toMatchObject({
    exit: 1,
    err: expect.stringContaining('Stage staging has several tables, choose with --table: '),
  });
});

test('--table works on a table in AWS, where no loopback address may be called back', async () => {
  const rig = await partnerCliRig();
  stubAws();
  const table = `--table ${rig.table.name}`;
  await rig.exactly(`create bars --login bars-api --offer bars-of-moscow ${table}`);
  expect(await rig.authorizes('bars-api', firstSecret)).toBe(true);
  expect(await rig.exactly(`callback set bars --url https://127.0.0.1:9000 ${table}`)).toEqual(
    fails(2, 'The URL must be a public address: nothing was changed.'),
  );
  expect(await rig.exactly('list --table none-of-ours')).toEqual(
    fails(1, 'There is no such table in this account and region.'),
  );
});

test('a missing region or login to AWS is said in one sentence', async () => {
  const rig = await partnerCliRig();
  const empty = join(mkdtempSync(join(tmpdir(), 'partner-cli-test-')), 'none');
  for (const name of [
    'AWS_REGION',
    'AWS_DEFAULT_REGION',
    'AWS_ACCESS_KEY_ID',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_PROFILE',
  ]) {
    vi.stubEnv(name, undefined);
  }
  vi.stubEnv('AWS_CONFIG_FILE', empty);
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', empty);
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
  expect(await rig.exactly('list --table any')).toEqual(
    fails(1, 'There is no AWS region: set AWS_REGION, or choose a profile with AWS_PROFILE.'),
  );
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  expect(await rig.exactly('list --table any')).toEqual(
    fails(1, 'There are no AWS credentials: log in, or choose a profile with AWS_PROFILE.'),
  );
});
