import { watch } from 'node:fs';
import { join } from 'node:path';
import { buildAssembly } from './build-assembly.ts';
import type { LocalService } from './service.ts';

/** An editor saves in several steps, and a checkout changes many files. */
const quietMs = 150;

/**
 * Bundles again and changes the functions' code whenever their sources change. The data, the port and the
 * routes stay. A bundle that fails leaves the code as it was.
 */
export const watchSources = (service: LocalService, stateDir: string): void => {
  let timer: NodeJS.Timeout | undefined;
  let building = false;
  let changedMeanwhile = false;
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

  const build = async (): Promise<void> => {
    if (building) {
      changedMeanwhile = true;
      return;
    }
    building = true;
    do {
      changedMeanwhile = false;
      await rebuild();
    } while (changedMeanwhile);
    building = false;
  };

  for (const folder of ['functions', 'shared']) {
    watch(folder, { recursive: true }, () => {
      clearTimeout(timer);
      timer = setTimeout(build, quietMs);
    });
  }
  console.log('Watching functions/ and shared/.');
};
