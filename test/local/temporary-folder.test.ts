import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';

/** Starts a program that makes two folders and waits; `folders` are their paths. */
async function startProgram({ before = '', after = '' } = {}) {
  const program = `
    import { temporaryFolder } from './local/temporary-folder.ts';
    ${before}
    console.log([temporaryFolder('signal-test').path, temporaryFolder('signal-test').path].join());
    ${after}
    process.stdin.resume();`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program]);
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = await once(child.stdout, 'data');
  return { child, folders: String(line).trim().split(',') };
}

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s ends a program, and removes its temporary folders',
  async (signal) => {
    const { child, folders } = await startProgram();
    expect(folders.map((folder) => existsSync(folder))).toEqual([true, true]);
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([null, signal]);
    expect(folders.map((folder) => existsSync(folder))).toEqual([false, false]);
  },
);

const listener = `process.once('SIGINT', () => setTimeout(() => process.exit(3), 50));`;

test.each([{ before: listener }, { after: listener }])(
  'a program that listens for a signal itself decides when it ends, and its folders are removed then: %o',
  async (program) => {
    const { child, folders } = await startProgram(program);
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([3, null]);
    expect(folders.map((folder) => existsSync(folder))).toEqual([false, false]);
  },
);
