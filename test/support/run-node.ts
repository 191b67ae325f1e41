import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

const { NODE_COMPILE_CACHE } = process.env;

type Surroundings = { env?: NodeJS.ProcessEnv; cwd?: string };

/** Runs a program of this repository to its end; without `env`, in the environment of the tests. */
export function runNode(words: readonly string[], env = process.env) {
  return runProgram(process.execPath, words, { env: { NODE_COMPILE_CACHE, ...env } });
}

/** Runs any program to its end. */
export async function runProgram(command: string, words: readonly string[], surroundings: Surroundings) {
  const child = spawn(command, words, surroundings);
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { code, out, err };
}
