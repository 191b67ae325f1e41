import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Rig } from '../rig.ts';
import { type Child, startChild } from './child.ts';

export interface Took {
  /** Of all threads of the process: V8 compiles and collects garbage beside the main one. */
  readonly cpuUs: number;
  readonly wallMs: number;
}

/** A batch of events, one after the other. */
export interface Run extends Took {
  readonly responses: readonly unknown[];
}

/** Is ready with what loading took; answers a batch of events with its `Run`. */
export type HeldFunction = Child<Took>;

/** Loads the function of a folder into a process of its own and keeps it there. What it prints goes nowhere. */
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
