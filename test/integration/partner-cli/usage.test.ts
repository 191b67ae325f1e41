import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, inject, test, vi } from 'vitest';
import { temporaryFolder } from '../../../local/temporary-folder.ts';
import { noon } from '../../support/clock.ts';
import { newTable } from '../../support/table.ts';
import { fails, partnerCliRig, secondSecret } from './partner-cli-rig.ts';

afterEach(() => vi.unstubAllEnvs());

const id = 'It must have 1 to 64 letters, digits, dots, hyphens or underscores.';

test.each([
  [
    'list --table a --stage prod',
    "error: option '--stage <stage>' cannot be used with option '--table <name>'",
  ],
  [
    'list --stage production',
    "error: option '--stage <stage>' argument 'production' is invalid. It takes one of dev, sandbox, staging, prod.",
  ],
  [
    'create b#rs --login b --offer o',
    `error: command-argument value 'b#rs' is invalid for argument 'partnerId'. ${id}`,
  ],
  [
    'create bars --login b:a --offer o',
    "error: option '--login <login>' argument 'b:a' is invalid. It must have 1 to 128 visible ASCII characters and no colon or slash.",
  ],
  ['create bars --login b --offer o#o', `error: option '--offer <id>' argument 'o#o' is invalid. ${id}`],
  // The wallet platform keeps its answers under that name.
  [
    'create wallet --login b --offer o',
    "error: command-argument value 'wallet' is invalid for argument 'partnerId'. It is reserved, choose another.",
  ],
  [
    'limits bars --pushes-per-minute 1000001',
    "error: option '--pushes-per-minute <n>' argument '1000001' is invalid. It takes a whole number from 1 to 1000000.",
  ],
  [
    'callbacks list bars --since yesterday',
    "error: option '--since <time>' argument 'yesterday' is invalid. It takes a time like 2026-05-20T12:00:00Z or a date.",
  ],
  ['callbacks list bars --since 2026-05-21 --until 2026-05-20', '--until must be after --since.'],
  ['callbacks replay bars', 'It needs --message, --skipped, or a time.'],
  ['forget seven', 'msisdn must be a whole number of 7 to 15 digits.'],
])('%s is refused before anything is asked or read', async (line, err) => {
  const rig = await partnerCliRig();
  const state = /--table|--stage/.test(line) ? '' : ' --state no-such-folder';
  expect(await rig.exactly(`${line}${state}`, { response: 'bars' })).toEqual(fails(2, err));
  expect(rig.questions).toEqual([]);
});

test('commands that find no partner, or no endpoint, say so', async () => {
  const rig = await partnerCliRig();
  await rig.createBars();
  for (const line of [
    'offers add nobody o',
    'offers remove nobody o --yes',
    'limits nobody',
    'keys rotate nobody',
    'keys retire nobody',
    'disable nobody --yes',
    'enable nobody',
    'callback set nobody --url https://a.example',
    'callbacks list nobody',
    'callbacks replay nobody --message m',
    'keys list nobody',
    'keys create nobody --role full',
    'keys limit nobody till',
    'keys revoke nobody till --yes',
  ])
    expect([line, await rig.run(line)]).toEqual([
      line,
      fails(1, 'There is no partner "nobody": the command list shows all.'),
    ]);
  for (const line of ['callback enable bars', 'callback disable bars --yes', 'callback rotate bars'])
    expect([line, await rig.run(line)]).toEqual([
      line,
      fails(1, 'bars has no callback endpoint: the command callback set makes one.'),
    ]);
});

test('dangerous commands ask first, and need --yes where nobody can answer', async () => {
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
  for (const line of [
    'callbacks replay bars --skipped',
    'callback retire bars',
    'callback disable bars',
    'keys retire bars',
    'offers remove bars bars-of-moscow',
    'disable bars',
  ]) {
    const before = await rig.table.rows();
    rig.questions.splice(0);
    const answered = await rig.run(line, { response: 'bar' });
    expect([line, answered]).toEqual([line, fails(1, 'That is not bars: nothing was changed.')]);
    expect(rig.questions).toHaveLength(1);
    expect(await rig.run(line)).toEqual(
      fails(2, "It prompts for the partner's id before it continues, and there is no terminal: add --yes."),
    );
    expect(await rig.table.rows()).toEqual(before);
    expect(await rig.run(line, { response: ' bars' })).toMatchObject({ exit: 0, err: '' });
  }
});

test('a service that does not run is said in one sentence', async () => {
  const rig = await partnerCliRig();
  const { path: stateDir } = temporaryFolder('partner-cli-test');
  const sentence = `The service does not run on ${stateDir}: start it with npm start, or name a deployed one with --stage.`;
  expect(await rig.exactly(`list --state ${stateDir}`)).toEqual(fails(1, sentence));
  // This is the state after a crash: the file exists, but nothing listens.
  const endpoints = { tableName: 'any', dynamodb: 'http://127.0.0.1:9', baseUrl: 'http://127.0.0.1:3000' };
  writeFileSync(join(stateDir, 'endpoints.json'), JSON.stringify(endpoints));
  expect(await rig.exactly(`list --state ${stateDir}`)).toEqual(fails(1, sentence));
});

test('--stage finds the one table that the stack of that stage made, --table any', async () => {
  const rig = await partnerCliRig();
  await tableInAws('partner-integration-staging-data-Table-1A2B3C4D5E6F');
  await tableInAws('partner-integration-staging-data-TableOfSomebody');
  const created = 'create bars --login bars-api --offer bars-of-moscow';
  expect(await rig.exactly(`${created} --stage staging`)).toMatchObject({ exit: 0, err: '' });
  expect((await rig.exactly('list --stage staging')).out).toContain('\nbars     bars-api  enabled  1 ');
  await tableInAws('partner-integration-staging-data-Table-6F5E4D3C2B1A');
  expect((await rig.exactly('list --stage staging')).err).toContain(
    'Stage staging has several tables, choose with --table: ',
  );
  const table = `--table ${rig.table.name}`;
  await rig.exactly(`${created} ${table}`);
  expect(await rig.authorizes('bars-api', secondSecret)).toBe(true);
  expect(await rig.exactly(`callback set bars --url https://127.0.0.1:9000 ${table}`)).toEqual(
    fails(2, 'The URL must be a public address: nothing was changed.'),
  );
  expect(await rig.exactly('list --table none-of-ours')).toEqual(
    fails(1, 'There is no such table in this account and region.'),
  );
});

/** Creates a table, and lets the command find tables of AWS on the engine, without the policy, which knows none of them. */
async function tableInAws(name: string) {
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', inject('dynamodbEndpoint'));
  for (const setting of ['REGION', 'ACCESS_KEY_ID', 'SECRET_ACCESS_KEY'])
    vi.stubEnv(`AWS_${setting}`, 'test');
  await newTable(name);
}

test.each([
  ['--stage sandbox', 'partner-integration-sandbox-data-Table-1A2B3C4D5E6F'],
  ['--table printed-commands', 'printed-commands'],
  ['--state of the local service', undefined],
])('with %s the commands that a command prints work on the same table', async (option, name) => {
  const rig = await partnerCliRig();
  if (name) await tableInAws(name);
  const on = name ? option : `--state ${rig.stateDir}`;
  const printedBy = async (line: string) => {
    const { out, err } = await rig.exactly(`${line} ${on}`, { response: 'bars' });
    expect([line, err]).toEqual([line, '']);
    return /npm run partner -- (.+)/.exec(out)?.[1] ?? `${line} prints none`;
  };
  const followed = async (line: string) => {
    const printed = await printedBy(line);
    expect(await rig.exactly(printed, { response: 'bars' })).toMatchObject({ exit: 0, err: '' });
    return printed;
  };
  await rig.exactly(`create bars --login bars-api --offer bars-of-moscow ${on}`);
  expect(await followed('keys rotate bars')).toBe(`keys retire bars bars-api ${on}`);
  const set = 'callback set bars --url https://bars.example/callback';
  await rig.exactly(`${set} ${on}`);
  rig.clock.advance(1_000);
  expect(await followed('callback rotate bars')).toBe(`callback retire bars ${on}`);
  await rig.exactly(`callback disable bars --yes ${on}`);
  expect(await printedBy(set)).toBe(`callback enable bars ${on}`);
  expect(await followed('callback enable bars')).toBe(`callbacks replay bars --skipped ${on}`);
  await rig.exactly(`disable bars --yes ${on}`);
  expect(await followed('erase bars')).toBe(`erase bars --offer bars-of-moscow ${on}`);
});

test('a missing region or login to AWS is said in one sentence', async () => {
  const rig = await partnerCliRig();
  const empty = join(temporaryFolder('partner-cli-test').path, 'none');
  const set = ['REGION', 'DEFAULT_REGION', 'ACCESS_KEY_ID', 'SECRET_ACCESS_KEY', 'PROFILE'];
  for (const name of set) vi.stubEnv(`AWS_${name}`, undefined);
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
