import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildAssembly, isStale } from '../local/build-assembly.ts';
import { readServiceModel, type ServiceModel } from '../local/template/service-model.ts';

export interface BuiltService {
  /** A place for whatever the section needs. */
  readonly folder: string;
  readonly assemblyDir: string;
  readonly model: ServiceModel;
}

/**
 * Runs a task on the service as it would be deployed, in a copy: another build must not change what is being
 * measured. The copy is gone afterwards.
 */
export const onBuiltService = async <Result>(
  task: (built: BuiltService) => Promise<Result>,
): Promise<Result> => {
  if (isStale('cdk.out')) await buildAssembly();
  const folder = mkdtempSync(join(tmpdir(), 'partner-integration-bench-'));
  const assemblyDir = join(folder, 'assembly');
  try {
    cpSync('cdk.out', assemblyDir, { recursive: true });
    return await task({ folder, assemblyDir, model: readServiceModel(assemblyDir) });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
