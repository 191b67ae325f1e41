import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { buildAssembly, newestSourceMs } from '../build/assembly.ts';
import type { LocalService } from './service.ts';

/**
 * The sources are polled, because file system events lose a file that an editor or git saves by renaming another
 * over it. A few hundred files take a few milliseconds.
 */
const pollEveryMs = 400;

/**
 * Bundles again and replaces the functions' code whenever their sources change. The data, the port and the routes
 * stay. A bundle that fails leaves the code as it was.
 */
export async function watchSources(service: LocalService, stateDir: string): Promise<void> {
  console.log('Watching functions/, shared/ and console/.');
  let seenMs = newestSourceMs();
  let build = 0;
  for (;;) {
    await delay(pollEveryMs, undefined, { ref: false });
    const newestMs = newestSourceMs();
    if (newestMs === seenMs) continue;
    // A change that comes during the build is newer than this, so the next poll sees it.
    seenMs = newestMs;
    build += 1;
    // Two folders alternate, so that a worker which starts during a build still finds the folder it was made for.
    await rebuild(service, join(stateDir, 'watch', String(build % 2)));
  }
}

async function rebuild(service: LocalService, folder: string): Promise<void> {
  const startedAt = performance.now();
  try {
    await buildAssembly(folder);
    service.reloadCode(folder);
    console.log(`Reloaded the functions in ${Math.round(performance.now() - startedAt)} ms.`);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error} The previous code stays in use.`);
  }
}
