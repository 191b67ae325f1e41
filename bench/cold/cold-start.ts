import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

export interface Loadable {
  readonly name: string;
  /** Where its `index.mjs` is. */
  readonly folder: string;
  /** All it sees in `process.env`, with NODE_OPTIONS as in Lambda. */
  readonly environment: Readonly<Record<string, string>>;
  readonly eventFile: string;
}

export interface Took {
  readonly wallMs: number;
  /** Of all threads of the process: V8 compiles and collects garbage beside the main one. */
  readonly cpuMs: number;
}

export interface ColdStart {
  readonly load: Took;
  readonly first: Took;
  readonly response: unknown;
}

const program = join(import.meta.dirname, 'load-once.js');

/** A fresh Node process that loads the function and invokes it once. The start of Node itself is not counted. */
export async function coldStart({ name, folder, environment, eventFile }: Loadable): Promise<ColdStart> {
  const file = pathToFileURL(join(folder, 'index.mjs')).href;
  const child = spawn(process.execPath, [program, file, eventFile], {
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  const [times, errors] = await Promise.all([
    text(child.stdio[3] as Readable),
    text(child.stderr as Readable),
  ]);
  const [code] = await exited;
  if (code !== 0 || times === '') throw new Error(`${name} could not be loaded and invoked:\n${errors}`);
  return JSON.parse(times) as ColdStart;
}
