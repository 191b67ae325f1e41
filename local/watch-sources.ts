import { join } from 'node:path';
import { buildAssembly, newestSourceMs } from '../build/assembly.ts';
import type { LocalService } from './service.ts';

/**
 * Looked at, not watched: file system events lose a file that an editor or git saves by renaming another over
 * it. A few hundred files take a few milliseconds.
 */
const lookEveryMs = 400;

/**
 * Bundles again and changes the functions' code whenever their sources change. The data, the port and the
 * routes stay. A bundle that fails leaves the code as it was.
 */
export function watchSources(service: LocalService, stateDir: string): void {
  let seenMs = newestSourceMs();
  let turn = 0;

  const rebuild = async (): Promise<void> => {
    // In turns, so that a worker which starts during the build still finds the folder it was made for.
    turn = 1 - turn;
    const folder = join(stateDir, 'watch', String(turn));
    const startedAt = performance.now();
    try {
      await buildAssembly(folder);
      service.reloadCode(folder);
      console.log(`Reloaded the functions in ${Math.round(performance.now() - startedAt)} ms.`);
    } catch (error) {
      console.error(`${error instanceof Error ? error.message : error} The code before it goes on running.`);
    }
  };

  const look = async (): Promise<void> => {
    const newestMs = newestSourceMs();
    if (newestMs !== seenMs) {
      // A change that comes during the build is newer than this, and seen by the next look.
      seenMs = newestMs;
      await rebuild();
    }
    setTimeout(look, lookEveryMs).unref();
  };
  setTimeout(look, lookEveryMs).unref();
  console.log('Watching functions/ and shared/.');
}
