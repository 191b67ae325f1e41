import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Makes a folder for one task, which is removed at the latest when the process exits. */
export function temporaryFolder(purpose: string) {
  const { path, remove } = mkdtempDisposableSync(join(tmpdir(), `partner-integration-${purpose}-`));
  process.once('exit', remove);
  return {
    path,
    remove: (): void => {
      process.off('exit', remove);
      remove();
    },
  };
}
