import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** A command and its arguments; `{out}` is the folder in which it runs. */
export type Step = [command: string, ...args: string[]];

/** Starts a program without blocking, because what it calls runs in this process. */
export function start([command, ...args]: Step, cwd: string, env = process.env) {
  return spawn(
    command,
    args.map((argument) => argument.replace('{out}', cwd)),
    { cwd, env },
  );
}

/** Runs a program to its end and returns what it printed. */
export async function run(step: Step, cwd: string, env = process.env): Promise<string> {
  const child = start(step, cwd, env);
  const [out, err, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  if (status === 0) return `${out}${err}`;
  const [command, first] = step;
  throw new Error(`${command} ${first} ended with ${status}\n${`${out}${err}`.slice(-2_000)}`);
}
