import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { buildAssembly, isStale } from '../build/assembly.ts';
import { metafilePath } from '../infra/bundle-paths.ts';
import { readServiceModel, type ServiceModel } from '../local/template/service-model.ts';
import { temporaryFolder } from '../local/temporary-folder.ts';

export interface BuiltService {
  /** A place for whatever the section needs. */
  readonly folder: string;
  readonly assemblyDir: string;
  /** What esbuild says is in the bundles. */
  readonly metafile: string;
  readonly model: ServiceModel;
}

/**
 * Runs a task on the service as it would be deployed, in a copy: another build must not change what is being
 * measured. The copy is gone afterwards.
 */
export async function onBuiltService<Result>(
  task: (built: BuiltService) => Promise<Result>,
): Promise<Result> {
  if (isStale('cdk.out')) await buildAssembly();
  const folder = temporaryFolder('bench');
  const assemblyDir = join(folder.path, 'assembly');
  const metafile = join(folder.path, 'metafile.json');
  try {
    cpSync('cdk.out', assemblyDir, { recursive: true });
    cpSync(metafilePath, metafile);
    const model = readServiceModel(assemblyDir);
    return await task({ folder: folder.path, assemblyDir, metafile, model });
  } finally {
    folder.remove();
  }
}
