import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { askOn } from '../../ops/cli/command-line.ts';

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
