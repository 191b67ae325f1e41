import { theRun } from '../core/current.ts';

/** Calls back in virtual time: middy ends a request so shortly before its function would be killed. */
export function setTimeout(callback: () => void, ms: number): void {
  theRun.time.after(Math.max(0, ms), callback);
}
