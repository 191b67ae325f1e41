import { theRun } from '../core/current.ts';

export function setTimeout(ms: number): Promise<void> {
  return theRun.time.sleep(ms);
}

/** Resolves at once, because nothing else arrives meanwhile in the simulation. */
export async function setImmediate(): Promise<void> {}
