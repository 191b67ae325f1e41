import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { PassThrough, type Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { askOn, lineFrom, tellingHowFar } from '../../ops/cli/command-line.ts';

/** Returns what the prompt gives to somebody who types these keys. */
function typing(keys: string) {
  const input = new PassThrough();
  const asked = askOn({ input, output: new PassThrough(), terminal: true }, 'The name: ');
  input.write(keys);
  return asked;
}

test('Ctrl-C and Ctrl-D at a prompt end a command with the sentence that nothing was changed', async () => {
  expect(await typing('bars\r')).toBe('bars');
  for (const keys of ['\u0003', 'ba\u0003', '\u0004'])
    await expect(typing(keys)).rejects.toMatchObject({
      name: 'CommandError',
      exitCode: 1,
      message: '\nNothing was changed.',
    });
});

test('what is piped in is read to the end of its line, of a pipe that stays open too, with what came with the line', async () => {
  for (const [chunks, read] of [
    [['7900', '0000000\n'], '79000000000\n'],
    [['1\n2', '\n'], '1\n2'],
  ] as const) {
    const piped = new PassThrough();
    const line = lineFrom(piped);
    for (const chunk of chunks) {
      piped.write(chunk);
      await setImmediate();
    }
    expect(await line).toBe(read);
  }
  const ended = new PassThrough();
  ended.end('no end of line');
  expect(await lineFrom(ended)).toBe('no end of line');
});

test('a program whose output is lost fails, but for a reader that has enough', async () => {
  const run = async (stdout: number | 'pipe') => {
    const child = spawn(process.execPath, ['ops/partner.ts', '--help'], {
      stdio: ['ignore', stdout, 'pipe'],
    });
    child.stdout?.destroy();
    const [err, [code]] = await Promise.all([text(child.stderr as Readable), once(child, 'close')]);
    return { code, err };
  };
  const closed = openSync('package.json', 'r');
  expect(await run(closed)).toEqual({
    code: 1,
    err: 'The output could not be written (EBADF): what was done is not undone.\n',
  });
  closeSync(closed);
  expect(await run('pipe')).toEqual({ code: 0, err: '' });
});

test('work that fails, or is ended by Ctrl-C, says how far it came', async () => {
  const said: string[] = [];
  const output = { print: () => {}, printError: (text: string) => said.push(text) };
  const telling = (work: () => Promise<unknown>) =>
    tellingHowFar(output, () => '3 of 5 rows are written.', work);
  const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never);
  await telling(async () => {
    process.emit('SIGINT');
    await vi.waitFor(() => expect(exit).toHaveBeenCalledWith(130));
  });
  exit.mockRestore();
  expect(said).toEqual(['\nStopped: 3 of 5 rows are written. The same command goes on from there.']);
  await expect(telling(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  expect(said.slice(1)).toEqual(['It failed: 3 of 5 rows are written.']);
  expect(await telling(async () => 'done')).toBe('done');
  expect(said).toHaveLength(2);
  expect(process.listenerCount('SIGINT')).toBe(0);
});
