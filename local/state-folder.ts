import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartUpError } from './start-up-error.ts';

export interface StateFolder {
  readonly logs: string;
  readonly checkpoints: string;
  /** Shows that the service is ready, and where; removed when it stops. */
  writeEndpoints(endpoints: object): void;
  release(): void;
}

/** What a run leaves for the next one. Nothing else in the folder is ours to delete. */
const stateNames = ['dynamodb', 'sqs', 'checkpoints', 'logs', 'partners.json', 'watch'];

const pidFileName = 'runner.pid';

/** Folders that this very process uses: its process id cannot tell its services apart. */
const claimedHere = new Set<string>();

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function createPidFile(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    return false;
  }
}

function claim(folder: string): void {
  const file = join(folder, pidFileName);
  if (claimedHere.has(folder)) {
    throw new StartUpError(`The service already runs on ${folder} in this process.`);
  }
  if (!createPidFile(file)) {
    const pid = Number(readFileSync(file, 'utf8'));
    // After a crash, another process may have got the number, even this one.
    if (pid !== process.pid && isRunning(pid)) {
      throw new StartUpError(
        `Another instance (process ${pid}) runs on ${folder}: stop it, or choose another folder with --state.`,
      );
    }
    writeFileSync(file, String(process.pid));
  }
  claimedHere.add(folder);
}

/** Claims the folder for this run; with `fresh`, removes what earlier runs left. */
export function openStateFolder(folder: string, fresh: boolean): StateFolder {
  mkdirSync(folder, { recursive: true });
  claim(folder);
  const endpointsFile = join(folder, 'endpoints.json');
  rmSync(endpointsFile, { force: true });
  if (fresh) for (const name of stateNames) rmSync(join(folder, name), { recursive: true, force: true });
  return {
    logs: join(folder, 'logs'),
    checkpoints: join(folder, 'checkpoints'),
    writeEndpoints: (endpoints) =>
      writeFileSync(endpointsFile, `${JSON.stringify(endpoints, null, 2)}\n`, { mode: 0o600 }),
    release: () => {
      rmSync(endpointsFile, { force: true });
      rmSync(join(folder, pidFileName), { force: true });
      claimedHere.delete(folder);
    },
  };
}
