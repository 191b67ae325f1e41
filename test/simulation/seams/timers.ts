import { theRun } from '../core/current.ts';

/** Waits in virtual time. */
export function setTimeout(ms: number): Promise<void> {
  return theRun.time.sleep(ms);
}
