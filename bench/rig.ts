import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { currentAssembly } from '../build/assembly.ts';
import { borrowEngines } from '../local/invoke/borrow-engines.ts';
import { readServiceModel, type ServiceModel } from '../local/template/service-model.ts';
import { temporaryFolder } from '../local/temporary-folder.ts';
import { connectLocalTable } from '../shared/platform/table/table.ts';
import type { Figure } from './figure.ts';

/** A part of the bench that can be run alone. */
export type Section = {
  name: string;
  about: string;
  /** Checks that what it times is correct, and throws if it is not. */
  run: (rig: Rig) => Promise<readonly Figure[]>;
};

export type Rig = {
  say: (progress: string) => void;
  /** A folder for the section, removed afterwards. */
  folder: string;
  assemblyDir: string;
  model: ServiceModel;
  /** Stops what was started, in reverse order, also after a failure. */
  cleanup: AsyncDisposableStack;
};

/** Runs a task on a copy of the built service, so that another build does not change what is being measured. */
export async function withRig<Result>(say: Rig['say'], task: (rig: Rig) => Promise<Result>): Promise<Result> {
  await using cleanup = new AsyncDisposableStack();
  const folder = temporaryFolder('bench');
  cleanup.defer(() => folder.remove());
  const assemblyDir = join(folder.path, 'assembly');
  cpSync(await currentAssembly(), assemblyDir, { recursive: true });
  const model = readServiceModel(assemblyDir);
  return await task({ say, folder: folder.path, assemblyDir, model, cleanup });
}

export type EngineRig = Awaited<ReturnType<typeof withEngines>>;

/** Starts engines with the two partners of the sample events. */
export async function withEngines(rig: Rig) {
  const engines = await borrowEngines(rig.folder, rig.model, {});
  rig.cleanup.defer(() => engines.giveBack());
  const table = connectLocalTable(rig.model.tables[0]?.name ?? '', engines.dynamodb);
  rig.cleanup.defer(() => table.client.destroy());
  return { ...rig, engines, table };
}
