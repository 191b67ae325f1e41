import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { silentLog } from '../local/log.ts';
import { type LocalService, startLocalService } from '../local/service.ts';
import type { BuiltService } from './built-service.ts';

/** Starts the whole service on a folder of its own for one task, and leaves nothing behind. */
export async function onOwnService<Result>(
  { folder, assemblyDir }: BuiltService,
  task: (service: LocalService) => Promise<Result>,
): Promise<Result> {
  const stateDir = mkdtempSync(join(folder, 'state-'));
  const service = await startLocalService({ port: 0, stateDir, assemblyDir, log: silentLog });
  try {
    return await task(service);
  } finally {
    await service.stop();
    rmSync(stateDir, { recursive: true, force: true });
  }
}
