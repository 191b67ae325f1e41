import { setTimeout as delay } from 'node:timers/promises';
import { newestSourceMs } from '../build/assembly.ts';

/**
 * The sources are polled, because file system events lose a file that an editor or git saves by renaming another
 * over it. A few hundred files take a few milliseconds.
 */
const pollEveryMs = 400;

/** Calls `restart` whenever a source changes, and prints why it failed if it did. */
export async function watchSources(restart: () => Promise<void>): Promise<void> {
  console.log('Watching functions/, shared/, infra/ and console/; changes of local/ need a new start.');
  for (let seenMs = newestSourceMs(); ; await delay(pollEveryMs)) {
    const newestMs = newestSourceMs();
    if (newestMs === seenMs) continue;
    // A change that comes during the restart is newer than this, so the next poll sees it. So does one after a start that
    // failed, when nothing else keeps the process alive.
    seenMs = newestMs;
    const startedAt = performance.now();
    await restart().then(
      () => console.log(`Restarted in ${Math.round(performance.now() - startedAt)} ms.`),
      (error: Error) => console.error(error.message),
    );
  }
}
