import { theRun } from '../core/current.ts';

export function setTimeout(ms: number): Promise<void> {
  return theRun.time.sleep(ms);
}
