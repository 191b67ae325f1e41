import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildAssembly, isStale } from '../local/build-assembly.ts';
import { readServiceModel, type ServiceModel } from '../local/template/service-model.ts';

export interface BuiltService {
  /** A place for whatever the section needs; removed with everything in it. */
  readonly folder: string;
  readonly assemblyDir: string;
  readonly model: ServiceModel;
  remove(): void;
}

/** The service as it would be deployed, in a copy: another build must not change what is being measured. */
export const builtService = async (): Promise<BuiltService> => {
  if (isStale('cdk.out')) await buildAssembly();
  const folder = mkdtempSync(join(tmpdir(), 'partner-integration-bench-'));
  const assemblyDir = join(folder, 'assembly');
  cpSync('cdk.out', assemblyDir, { recursive: true });
  return {
    folder,
    assemblyDir,
    model: readServiceModel(assemblyDir),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};
