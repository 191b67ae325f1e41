import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { bundleFolder } from '../infra/bundle-paths.ts';
import { configOf, type Stage, stages } from '../infra/config.ts';
import { newApp } from '../infra/new-app.ts';
import { defineStacks } from '../infra/stacks.ts';
import { parseOrExit } from './command-line.ts';
import { summarize, templateLimits } from './stage-summary.ts';

parseOrExit(
  new Command('node build/report.ts').description('Prints the size of the templates of every stage.'),
);

if (!existsSync('dist/functions')) {
  console.error('dist/functions is missing: run "npm run build" first.');
  process.exit(1);
}

function define(stage: Stage) {
  const app = newApp(mkdtempSync(join(tmpdir(), `report-${stage}-`)));
  return { app, ...defineStacks(app, { config: configOf(stage), codeFolder: bundleFolder }) };
}

function printSummary(stage: Stage): void {
  const startedAt = performance.now();
  const { seconds, stacks, ...counts } = summarize(define(stage), startedAt);
  console.log(`${stage}, synthesized in ${seconds.toFixed(1)} s`);
  for (const { name, resources, bytes } of stacks) {
    const share = `${resources} of ${templateLimits.resources} resources`;
    const size = `${(bytes / 1000).toFixed(1)} of ${templateLimits.bytes / 1000} kB`;
    console.log(`  ${name.padEnd(36)} ${share.padStart(24)} ${size.padStart(20)}`);
  }
  console.log(
    `  ${counts.functions} functions, ${counts.alarms} alarms, ${counts.nagFindings} findings of cdk-nag, ${counts.nagAcknowledgements} acknowledged`,
  );
}

for (const stage of stages) printSummary(stage);
