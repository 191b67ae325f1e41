import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DynamoDBServiceException, ProvisionedThroughputExceededException } from '@aws-sdk/client-dynamodb';
import { afterEach, expect, inject, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '../../../local/temporary-folder.ts';
import { type Target, withTarget } from '../../../ops/cli/target.ts';
import { runPartner } from '../../../ops/partner/program.ts';
import { withinTime } from '../../../shared/platform/runtime/time-left.ts';
import { deleteAll, readAll } from '../../../shared/platform/table/batches.ts';
import { putRow, readRow } from '../../../shared/platform/table/rows.ts';
import { stateFolder } from '../../support/command.ts';
import { failingCommand } from '../../support/failing-command.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { interceptCalls } from '../../support/intercept-calls.ts';
import { newTable } from '../../support/table.ts';
import { partnerCliRig } from './partner-cli-rig.ts';

const rig = inEachTest(partnerCliRig);
afterEach(() => vi.unstubAllEnvs());

/** Returns what the command says in place of its work. */
async function error(line: string): Promise<string> {
  return (await rig.exactly(line)).err;
}

test('an empty value, as an empty variable of a shell leaves it, is refused before anything is read', async () => {
  for (const [line, said] of [
    ['list --table=', "option '--table <name>' argument '' is invalid. It must not be empty."],
    ['list --state=', "option '--state <folder>' argument '' is invalid. It must not be empty."],
    ['create bars --login= --offer o', "option '--login <login>' argument '' is invalid. It must have 1 to"],
  ] as const)
    expect(await rig.exactly(line)).toMatchObject({ exit: 2, err: expect.stringContaining(said) });
  await rig.createBars();
  const noPlace = await rig.run('keys create bars --role cash-desk --place=');
  expect(noPlace).toEqual({ exit: 2, out: '', err: '--place: must not be empty.' });
  const said: string[] = [];
  const terminal = { print: () => {}, printError: (text: string) => said.push(text) };
  expect(await runPartner(['show', ''], { ...rig, terminal })).toBe(2);
  expect(said.join()).toContain("argument 'partnerId|login'. It must not be empty.");
});

test('a service that does not run is said in one sentence', async () => {
  const { path } = temporaryFolder('partner-cli-test');
  const sentence = `The service does not run on ${path}: start it with npm start, or name a deployed one with --stage.`;
  expect(await error(`list --state ${path}`)).toBe(sentence);
  // This is the state after a crash: the file exists, but nothing listens.
  const endpoints = { tableName: 'any', dynamodb: 'http://127.0.0.1:9', baseUrl: 'http://127.0.0.1:3000' };
  writeFileSync(join(path, 'endpoints.json'), JSON.stringify(endpoints));
  expect(await error(`list --state ${path}`)).toBe(sentence);
});

test('a profile whose role may not be assumed is said in one sentence', async () => {
  const sts = createServer((_request, response) => {
    const message = '<Message>not authorized to perform sts:AssumeRole</Message>';
    response.writeHead(403, { 'content-type': 'text/xml' });
    response.end(`<ErrorResponse><Error><Code>AccessDenied</Code>${message}</Error></ErrorResponse>`);
  });
  onTestFinished(() => void sts.close());
  await once(sts.listen(0, '127.0.0.1'), 'listening');
  const profiles = join(temporaryFolder('profiles-test').path, 'config');
  const role = 'role_arn = arn:aws:iam::000000000000:role/operator\nsource_profile = own';
  const own = 'aws_access_key_id = test\naws_secret_access_key = test';
  writeFileSync(profiles, `[profile operator]\n${role}\n\n[profile own]\n${own}\n`);
  const { port } = sts.address() as AddressInfo;
  for (const [name, value] of Object.entries({
    AWS_CONFIG_FILE: profiles,
    AWS_PROFILE: 'operator',
    AWS_REGION: 'eu-central-1',
    AWS_ENDPOINT_URL_STS: `http://127.0.0.1:${port}`,
  }))
    vi.stubEnv(name, value);
  expect(await error('list --table any')).toBe(
    'AWS refused (AccessDenied): not authorized to perform sts:AssumeRole',
  );
});

test.each([
  ['read', readAll],
  ['written', deleteAll],
])('a batch that is throttled for too long to be %s is said in one sentence', async (_what, work) => {
  const state = stateFolder('any', 'http://127.0.0.1:9');
  const command = withTarget({ state }, async ({ table }) => {
    interceptCalls(table.client, async () => {
      throw new ProvisionedThroughputExceededException({ message: 'slow down', $metadata: {} });
    });
    // There is time for one try.
    await withinTime<unknown>({ getRemainingTimeInMillis: () => 1_000 }, () =>
      work(table, [{ pk: 'P', sk: '1' }]),
    );
  });
  await expect(command).rejects.toThrow(
    'Not everything was done: run it again. The table refused (ProvisionedThroughputExceededException): slow down',
  );
});

test('a failure after a write says that part of the command may be done', async () => {
  const state = stateFolder(rig.table.name, inject('dynamodbEndpoint'));
  const refused = new ProvisionedThroughputExceededException({ message: 'slow down', $metadata: {} });
  const sentence = 'The table refused (ProvisionedThroughputExceededException): slow down';
  for (const [failing, said] of [
    [1, sentence],
    [2, `${sentence}. Part or all of it may be done: run it again.`],
  ] as const) {
    const command = withTarget({ state }, async ({ table }) => {
      failingCommand(table.client, 'PutItemCommand', failing, refused);
      for (const sk of ['1', '2']) await putRow(table, { pk: 'P', sk });
    });
    await expect(command).rejects.toMatchObject({ message: said });
  }
});

test('credentials that ended, an address that does not exist, and a policy that is missing are said with what to do', async () => {
  const state = stateFolder('any', 'http://127.0.0.1:9');
  const said = (name: string) =>
    withTarget({ state }, async () => {
      throw new DynamoDBServiceException({ name, message: 'not you.', $fault: 'client', $metadata: {} });
    }).catch(({ message }: Error) => message);
  expect(await said('ExpiredTokenException')).toBe(
    'AWS takes these credentials no more, or never did (ExpiredTokenException): log in, or choose a profile with AWS_PROFILE.',
  );
  expect(await said('AccessDeniedException')).toBe(
    'The table refused (AccessDeniedException): not you. docs/deploying.md has the policies of commands.',
  );
  vi.stubEnv('AWS_REGION', 'eu central');
  expect(await error('list --stage prod')).toBe(
    'There is no AWS region, or no such one: set AWS_REGION, or choose a profile with AWS_PROFILE.',
  );
  const inAws = withTarget({ state, table: 'any' }, async () => {
    throw Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' });
  });
  await expect(inAws).rejects.toThrow('The table cannot be reached: check AWS_REGION and the network.');
});

test('a write without a response may be done', async () => {
  const hangsUp = createServer((request) => void request.socket.destroy());
  onTestFinished(() => void hangsUp.close());
  await once(hangsUp.listen(0, '127.0.0.1'), 'listening');
  const state = stateFolder('any', `http://127.0.0.1:${(hangsUp.address() as AddressInfo).port}`);
  const command = (work: (target: Target) => Promise<unknown>) => withTarget({ state }, work);
  await expect(command(({ table }) => putRow(table, { pk: 'P', sk: '1' }))).rejects.toThrow(
    /^The service does not run on .+ Part or all of it may be done: run it again\.$/,
  );
  await expect(command(({ table }) => readRow(table, { pk: 'P', sk: '1' }))).rejects.toThrow(
    /^The service does not run on .+ with --stage\.$/,
  );
});

test('without options the command says that it works on the local service', async () => {
  expect(await error('list')).toMatch(/^This is the local service on \S+\.(\n|$)/);
});

test.each([
  ['npm_config_stage', 'prod', '--stage'],
  ['npm_config_dry_run', 'true', '--dry-run'],
  ['npm_config_units_per_second', '5', '--units-per-second'],
  ['npm_config_login', '', '--login'],
])('an option that npm took for itself is noticed: %s', async (name, value, option) => {
  vi.stubEnv('npm_config_cache', '/home/somebody/.npm');
  vi.stubEnv(name, value);
  expect(await rig.run('list')).toEqual({
    exit: 2,
    out: '',
    err: `npm took ${option} for itself: put -- before the words of the command.`,
  });
  vi.stubEnv('npm_command', 'exec');
  expect(await rig.run('list')).toMatchObject({ exit: 0 });
});

test('a setting that npm has for itself is refused only where a command lacks the option of that name', async () => {
  await rig.createBars();
  vi.stubEnv('npm_config_message', 'chore(release): %s');
  vi.stubEnv('npm_config_only', 'prod');
  const err = (name: string) =>
    `npm took --${name} for itself: put -- before the words of the command, or take it out of npm's settings.`;
  expect(await rig.run('list')).toMatchObject({ exit: 0, err: '' });
  expect((await rig.run('callbacks replay bars --message m1')).err).not.toContain('npm');
  expect(await rig.run('callbacks replay bars')).toEqual({ exit: 2, out: '', err: err('message') });
  vi.stubEnv('npm_config_json', 'true');
  expect(await rig.run('list')).toEqual({ exit: 2, out: '', err: err('json') });
  expect(await rig.run('list --json')).toMatchObject({ exit: 0, err: '' });
});

test('--yes that npm took is noticed where it lacks, and settings of npm that have it disturb no command', async () => {
  vi.stubEnv('npm_config_yes', 'true');
  await rig.createBars();
  const err =
    "It prompts for the partner's id before it continues, and there is no terminal: add --yes after a --, since npm took it for itself.";
  expect(await rig.run('disable bars')).toEqual({ exit: 2, out: '', err });
  for (const [line, person] of [
    ['disable bars --yes', {}],
    ['disable bars', { response: 'bars' }],
    ['list', {}],
  ] as const)
    expect([line, await rig.run(line, person)]).toMatchObject([line, { exit: 0, err: '' }]);
});

/** Creates a table, and lets the command find tables of AWS on the engine, without the policy, which knows none of them. */
async function tableInAws(name: string) {
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', inject('dynamodbEndpoint'));
  for (const setting of ['REGION', 'ACCESS_KEY_ID', 'SECRET_ACCESS_KEY'])
    vi.stubEnv(`AWS_${setting}`, 'test');
  await newTable(name);
}

test('--stage finds the one table that its stack made, --table any, and printed commands name the same one', async () => {
  await tableInAws('partner-integration-staging-data-Table-1A2B3C4D5E6F');
  await tableInAws('partner-integration-staging-data-TableOfSomebody');
  for (const on of ['--stage staging', `--table ${rig.table.name}`]) {
    const create = `create bars --login bars-api --offer bars-of-moscow ${on}`;
    expect(await rig.exactly(create)).toMatchObject({ exit: 0, err: '' });
    expect((await rig.exactly(`list ${on}`)).out).toContain('\nbars     bars-api  enabled  1 ');
    const printed = /npm run partner -- (.+)/.exec((await rig.exactly(`keys rotate bars ${on}`)).out)?.[1];
    expect(printed).toBe(`keys retire bars bars-api ${on}`);
    expect(await rig.exactly(`${printed} --yes`)).toMatchObject({ exit: 0, err: '' });
    expect(await rig.exactly(`disable bars ${on}`, { response: 'bars' })).toMatchObject({ exit: 0 });
    expect(rig.questions.pop()).toContain(`\nThis is ${on.slice(2)}.\nType the partner's id to go on: `);
  }
  await tableInAws('partner-integration-staging-data-Table-6F5E4D3C2B1A');
  expect(await error('list --stage staging')).toContain(
    'Stage staging has several tables, choose with --table: ',
  );
  expect(await error(`callback set bars --url https://127.0.0.1:9000 --table ${rig.table.name}`)).toBe(
    'The URL must be a public address: nothing was changed.',
  );
  expect(await error('list --table none-of-ours')).toBe(
    'There is no such table in this account and region, or it is still being restored: check its name, or choose others by AWS_PROFILE and AWS_REGION.',
  );
});
