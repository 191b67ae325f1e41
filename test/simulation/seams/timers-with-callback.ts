import { theRun } from '../core/current.ts';

/** Calls back in virtual time: middy ends a request so shortly before its function would be killed. */
export function setTimeout(callback: () => void, ms: number): void {
  theRun.time.after(Math.max(0, ms), callback);
}

/** What was planned happens, and changes nothing any more. */
export function clearTimeout(): void {}
