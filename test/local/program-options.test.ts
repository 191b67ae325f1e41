import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

function node(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { status, stdout, stderr };
}

const programs = [
  ['ops/demo.ts', 'Usage: npm run demo'],
  ['test/rehearsal/rehearse.ts', 'Usage: npm run restore:rehearse'],
] as const;

it.each(programs)('%s refuses unknown options and arguments, and has a help', (program, begin) => {
  expect(node(program, '--bogus')).toEqual({
    status: 2,
    stdout: '',
    stderr: "Unknown option '--bogus': --help lists the options.\n",
  });
  expect(node(program, 'foo')).toEqual({
    status: 2,
    stdout: '',
    stderr: "Unexpected argument 'foo': --help lists the options.\n",
  });
  const { status, stdout, stderr } = node(program, '--help');
  expect([status, stdout.slice(0, begin.length), stderr]).toEqual([0, begin, '']);
});
