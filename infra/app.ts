import { mkdirSync, rmSync } from 'node:fs';
import cdkSettings from '../cdk.json' with { type: 'json' };
import { bundleFolder } from './bundle-paths.ts';
import { isStage, stageConfig, stages } from './config.ts';
import { newApp } from './new-app.ts';
import { defineStacks } from './stacks.ts';

// Set by the CDK CLI; not when this program is started directly: `node infra/app.ts prod`.
const cliOutdir = process.env['CDK_OUTDIR'];
const outdir = cliOutdir ?? cdkSettings.output;

// Only the CLI's templates are deployed.
const app = newApp(outdir, { validated: cliOutdir !== undefined });
const stage = app.node.tryGetContext('stage') ?? process.argv[2] ?? 'dev';
if (!isStage(stage)) {
  console.error(`Unknown stage "${stage}": choose one of ${stages.join(', ')}.`);
  process.exit(1);
}

// Templates of another stage must not remain beside these. The CLI cleans its folder itself.
if (!cliOutdir) {
  rmSync(outdir, { recursive: true, force: true });
  mkdirSync(outdir);
}

// `--context ignoreAlarms=true`: docs/runbook.md, "Deployment rolled back", says when.
const ignoreRollbackAlarms = app.node.tryGetContext('ignoreAlarms') === 'true';
defineStacks(app, { config: { ...stageConfig(stage), ignoreRollbackAlarms }, codeFolder: bundleFolder });
const { stacks } = app.synth();

if (!cliOutdir) console.log(`Synthesized stage ${stage} into ${outdir}: ${stacks.length} stacks.`);
