import { theRun } from '../core/current.ts';

/** Calls back in virtual time. The service aborts a function's calls shortly before its time limit with this timer. */
export function setTimeout(callback: () => void, ms: number): void {
  theRun.time.after(Math.max(0, ms), callback);
}

/** Does nothing: the timer still fires, but has no effect once the function has ended. */
export function clearTimeout(): void {}
