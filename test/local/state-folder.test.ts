import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { runNode } from '../support/run-node.ts';
import { startFixtureIn, temporaryFolder } from './fixtures/fixture-service.ts';

/** Starts the service. `sentence` is its last line, since it may first build what is out of date. */
async function start(stateDir: string, args: string[] = [], env: Record<string, string> = {}) {
  const words = ['local/start.ts', '--port', '0', '--state', stateDir, ...args];
  const { code, out, err } = await runNode(words, { ...process.env, ...env });
  return { code, out, sentence: err.trimEnd().split('\n').at(-1) };
}

/** Creates a folder as an earlier run leaves it, with one file that has other content. */
function stateFolderWith(file: string, content: string): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'runner.lock'), '');
  mkdirSync(join(folder, file, '..'), { recursive: true });
  writeFileSync(join(folder, file), content);
  return folder;
}

test('a file is no state folder, nor is what lies below one', async () => {
  const file = join(temporaryFolder(), 'notes.txt');
  writeFileSync(file, 'mine');
  const below = join(file, 'state');
  for (const [folder, reason] of [
    [file, `EEXIST: file already exists, mkdir '${file}'`],
    [below, `ENOTDIR: not a directory, mkdir '${below}'`],
  ] as const)
    await expect(startFixtureIn(folder)).rejects.toThrow(
      `${folder} cannot be the state folder (${reason}): choose another with --state.`,
    );
});

test('a folder with other content is refused, and a fresh start deletes nothing there', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'logs'));
  writeFileSync(join(folder, 'logs', 'mine.log'), 'mine');
  expect(await start(folder, ['--fresh'])).toEqual({
    code: 1,
    out: '',
    sentence: `${folder} holds other files, such as logs: choose a new or an empty folder with --state.`,
  });
  expect(readFileSync(join(folder, 'logs', 'mine.log'), 'utf8')).toBe('mine');
});

test.each([
  ['partners.json', '{}', 'does not hold partners: delete it, or start from scratch with --fresh.'],
  ['seed.json', '{', 'is no record of a start: delete it, or start from scratch with --fresh.'],
  ['logs', 'a file', 'choose another with --state.'],
  ['sqs/fauxqs.db', 'no database', 'start from scratch with --fresh.'],
  ['dynamodb/dynoxide.sqlite', 'no database', 'start from scratch with --fresh.'],
  [
    'checkpoints/ChangesSource.json',
    '[]',
    'ChangesSource.json is no checkpoint: delete it, and its stream is read from the start.',
  ],
])('%s with other content is one sentence', async (file, content, advice) => {
  const folder = stateFolderWith(file, content);
  await expect(startFixtureIn(folder, { simulators: true })).rejects.toThrow(advice);
});

test('an endpoint where nothing answers is one sentence, and where something else does', async () => {
  const server = createServer((_request, response) => response.end('<h1>It works!</h1>'));
  onTestFinished(() => {
    server.close();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const other = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const cases = [
    ['DYNAMODB_ENDPOINT', 'http://127.0.0.1:1', 'ListTables'],
    ['DYNAMODB_ENDPOINT', 'localhost', 'ListTables'],
    ['DYNAMODB_ENDPOINT', other, 'ListTables'],
    ['SQS_ENDPOINT', 'http://127.0.0.1:1/', 'ListQueues'],
  ] as const;
  for (const [variable, address, operation] of cases) {
    vi.stubEnv(variable, address);
    await expect(startFixtureIn(temporaryFolder())).rejects.toThrow(
      new RegExp(
        `^${variable} is ${address}, but ${operation} gets no response there.*: start that engine, or unset the variable\\.$`,
      ),
    );
    vi.unstubAllEnvs();
  }
});

test('a process id that an earlier run left does not block a start, whoever has it now', async () => {
  const { service } = await startFixtureIn(stateFolderWith('runner.pid', String(process.ppid)));
  await service.stop();
});

/** Starts a process that locks the folder until its input ends; `said` is what it prints. */
function contender(folder: string) {
  const program = `
    import { openStateFolder } from './local/state-folder.ts';
    try { openStateFolder(process.argv[1], false); console.log('locked'); process.stdin.resume(); }
    catch (error) { console.log(error.message); }`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, folder]);
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return { child, said: once(child.stdout, 'data').then(String) };
}

test('of several starts at once on one folder one wins, and when it is killed the next one does', async () => {
  const folder = temporaryFolder();
  const refusal = `Another instance runs on ${folder}: stop it, or choose another folder with --state.\n`;
  const contenders = Array.from({ length: 6 }, () => contender(folder));
  const said = await Promise.all(contenders.map((one) => one.said));
  expect(said.toSorted()).toEqual([...Array(5).fill(refusal), 'locked\n']);
  const winner = contenders[said.indexOf('locked\n')]?.child;
  winner?.kill('SIGKILL');
  await once(winner ?? process, 'exit');
  expect(await contender(folder).said).toBe('locked\n');
});
