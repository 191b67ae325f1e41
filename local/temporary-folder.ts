import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for one task. It is gone when it is removed, and at the latest when the process exits. */
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
