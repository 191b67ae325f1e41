import { theRun } from '../core/current.ts';

export function setTimeout(ms: number): Promise<void> {
  return theRun.time.sleep(ms);
}

/** In the simulation nothing else arrives meanwhile. */
export async function setImmediate(): Promise<void> {}
