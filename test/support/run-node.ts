import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

const { NODE_COMPILE_CACHE } = process.env;

/** Runs a program of this repository to its end; without `env`, in the environment of the tests. */
export async function runNode(words: readonly string[], env = process.env) {
  const child = spawn(process.execPath, words, { env: { NODE_COMPILE_CACHE, ...env } });
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { code, out, err };
}
