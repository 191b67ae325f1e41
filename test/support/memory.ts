import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { removeAtEnd } from '../../local/temporary-folder.ts';

const memory = '/dev/shm';
const neededBytes = 2 * 1024 ** 3;

/** Keeps data of tests in memory if there is room, because the engines sync every transaction to disk. */
export function keepDataInMemory(): void {
  if (process.env['TMPDIR'] !== undefined || !existsSync(memory)) return;
  const { bavail, bsize } = statfsSync(memory);
  if (bavail * bsize < neededBytes) return;
  const folder = mkdtempSync(`${memory}/partner-integration-`);
  process.env['TMPDIR'] = folder;
  removeAtEnd(() => rmSync(folder, { recursive: true, force: true }));
}
