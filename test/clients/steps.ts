import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** A command and its arguments; `{out}` is the folder in which it runs. */
export type Step = [command: string, ...args: string[]];

/** Runs a program to its end and returns what it printed. The service that it calls runs in this process. */
export async function run([command, ...given]: Step, cwd: string, env = process.env): Promise<string> {
  const args = given.map((argument) => argument.replace('{out}', cwd));
  const child = spawn(command, args, { cwd, env });
  const [out, err, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  if (status === 0) return `${out}${err}`;
  throw new Error(`${command} ${given[0]} ended with ${status}\n${`${out}${err}`.slice(-2_000)}`);
}
