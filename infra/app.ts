import { mkdirSync, rmSync } from 'node:fs';
import cdkSettings from '../cdk.json' with { type: 'json' };
import { bundleFolder } from './bundle-paths.ts';
import { configOf, isStage, stages } from './config.ts';
import { newApp } from './new-app.ts';
import { defineStacks } from './stacks.ts';

// The CDK CLI sets it. Without the CLI this program was started directly: `node infra/app.ts prod`.
const cliOutdir = process.env['CDK_OUTDIR'];
const outdir = cliOutdir ?? cdkSettings.output;

const app = newApp(outdir);
const stage = app.node.tryGetContext('stage') ?? process.argv[2] ?? process.env['STAGE'] ?? 'dev';
if (!isStage(stage)) {
  console.error(`Unknown stage "${stage}": choose one of ${stages.join(', ')}.`);
  process.exit(1);
}

// Another stage's templates must not stay beside this one's; the CLI looks after its folder itself.
if (!cliOutdir) {
  rmSync(outdir, { recursive: true, force: true });
  mkdirSync(outdir);
}

// docs/runbook.md, "Deployment rolled back", says when: `--context ignoreAlarms=true`.
const ignoreRollbackAlarms = app.node.tryGetContext('ignoreAlarms') === 'true';
defineStacks(app, { config: { ...configOf(stage), ignoreRollbackAlarms }, codeFolder: bundleFolder });
const { stacks } = app.synth();

if (!cliOutdir) console.log(`Synthesized stage ${stage} into ${outdir}: ${stacks.length} stacks.`);
