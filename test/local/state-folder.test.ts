import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startFixtureIn, testFolder } from './fixtures/fixture-service.ts';

test('a folder with other content is refused, and a fresh start deletes nothing there', async () => {
  const folder = testFolder();
  const mine = join(folder, 'logs', 'mine.log');
  mkdirSync(join(folder, 'logs'));
  writeFileSync(mine, 'mine');
  await expect(startFixtureIn(folder, { fresh: true })).rejects.toThrow(
    `${folder} holds other files, such as logs: choose a new or an empty folder with --state.`,
  );
  expect(readFileSync(mine, 'utf8')).toBe('mine');
  await expect(startFixtureIn(mine)).rejects.toThrow(`${mine} cannot be the state folder (EEXIST: `);
});

/** Starts a process that locks the folder until its input ends; `said` is what it prints. */
function contender(folder: string) {
  const program = `
    import { openStateFolder } from './local/state-folder.ts';
    try { openStateFolder(process.argv[1], false); console.log('locked'); process.stdin.resume(); }
    catch (error) { console.log(error.message); }`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, folder]);
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, said: once(child.stdout, 'data').then(String) };
}

test('of several starts at once on one folder one wins, and when it is killed the next one does', async () => {
  const folder = testFolder();
  const refusal = `Another instance runs on ${folder}: stop it, or choose another folder with --state.\n`;
  const contenders = Array.from({ length: 3 }, () => contender(folder));
  const said = await Promise.all(contenders.map((one) => one.said));
  expect(said.toSorted()).toEqual([refusal, refusal, 'locked\n']);
  const winner = contenders[said.indexOf('locked\n')]?.child;
  winner?.kill('SIGKILL');
  await once(winner ?? process, 'exit');
  expect(await contender(folder).said).toBe('locked\n');
});
