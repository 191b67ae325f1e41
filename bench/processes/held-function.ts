import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Rig } from '../rig.ts';
import { type Child, startChild } from './child.ts';

export interface Took {
  /** Processor time of all threads, because V8 compiles and collects garbage in others. */
  readonly cpuUs: number;
  readonly wallMs: number;
}

/** A batch of events, one after the other. */
export interface Run extends Took {
  readonly responses: readonly unknown[];
}

/** A process with one function. It reports how long loading took, and replies to a batch of events with a `Run`. */
export type HeldFunction = Child<Took>;

/** Loads the function of a folder into its own process and keeps it there. Its output is dropped. */
export async function holdFunction(
  { cleanup }: Pick<Rig, 'cleanup'>,
  folder: string,
  environment: Readonly<Record<string, string>>,
): Promise<HeldFunction> {
  const file = pathToFileURL(join(folder, 'index.mjs')).href;
  const child: HeldFunction = await startChild('function.js', [file], environment);
  cleanup.defer(() => child.stop());
  return child;
}
