import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const removals = new Set<() => void>();

function removeAll(): void {
  for (const remove of removals) remove();
}

/**
 * Node emits no `exit` when a signal ends the process, so the signal comes again after the removal. A program that
 * listens for the signal itself decides when it ends.
 */
function listenForTheEnd(): void {
  process.once('exit', removeAll);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.prependOnceListener(signal, () => {
      if (process.listenerCount(signal) > 0) return;
      removeAll();
      process.kill(process.pid, signal);
    });
  }
}

let listens = false;

/** Calls `remove` when the process ends, unless it is killed. */
export function removeAtEnd(remove: () => void): void {
  if (!listens) listenForTheEnd();
  listens = true;
  removals.add(remove);
}

/** Makes a folder for one task, which is removed at the latest when the process ends. */
export function temporaryFolder(purpose: string) {
  const { path, remove } = mkdtempDisposableSync(join(tmpdir(), `partner-integration-${purpose}-`));
  removeAtEnd(remove);
  return {
    path,
    remove: (): void => {
      removals.delete(remove);
      remove();
    },
  };
}
