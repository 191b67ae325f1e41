import { bundleFolder } from '../../../infra/bundle-paths.ts';
import { stageConfig } from '../../../infra/config.ts';
import { newApp } from '../../../infra/new-app.ts';
import { defineStacks } from '../../../infra/stacks.ts';

/** Writes the templates of prod into the folder, for its memory sizes and reserved concurrency. */
export function synthesizeProd(folder: string): void {
  const app = newApp(folder, { validated: false });
  defineStacks(app, { config: stageConfig('prod'), codeFolder: bundleFolder });
  app.synth();
}
