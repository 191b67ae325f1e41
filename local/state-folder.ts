import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartUpError } from './start-up-error.ts';

export interface StateFolder {
  readonly logs: string;
  readonly checkpoints: string;
  /** Says that the service is ready, and where; gone when it is not. */
  writeEndpoints(endpoints: object): void;
  release(): void;
}

/** What a run leaves for the next one. Nothing else in the folder is ours to delete. */
const kept = ['dynamodb', 'sqs', 'checkpoints', 'logs', 'partners.json', 'watch'];

const lockName = 'runner.pid';

/** Folders in use by this very process, which its process id cannot tell apart. */
const heldHere = new Set<string>();

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function tryLock(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    return false;
  }
}

function lock(folder: string): void {
  const file = join(folder, lockName);
  if (heldHere.has(folder)) {
    throw new StartUpError(`The service already runs on ${folder} in this process.`);
  }
  if (!tryLock(file)) {
    const pid = Number(readFileSync(file, 'utf8'));
    // After a crash, another process may have got the number, or we ourselves.
    if (pid !== process.pid && isRunning(pid)) {
      throw new StartUpError(
        `Another instance (process ${pid}) runs on ${folder}: stop it, or choose another folder with --state.`,
      );
    }
    writeFileSync(file, String(process.pid));
  }
  heldHere.add(folder);
}

/** Takes the folder for this run; with `fresh`, without what earlier runs left. */
export function openStateFolder(folder: string, fresh: boolean): StateFolder {
  mkdirSync(folder, { recursive: true });
  lock(folder);
  const endpointsFile = join(folder, 'endpoints.json');
  rmSync(endpointsFile, { force: true });
  if (fresh) for (const name of kept) rmSync(join(folder, name), { recursive: true, force: true });
  return {
    logs: join(folder, 'logs'),
    checkpoints: join(folder, 'checkpoints'),
    writeEndpoints: (endpoints) =>
      writeFileSync(endpointsFile, `${JSON.stringify(endpoints, null, 2)}\n`, { mode: 0o600 }),
    release: () => {
      rmSync(endpointsFile, { force: true });
      rmSync(join(folder, lockName), { force: true });
      heldHere.delete(folder);
    },
  };
}
