import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Metafile } from 'esbuild';
import { metafilePath } from '../infra/bundle-paths.ts';
import { bundleBudgetBytes, overBudget, sizesOf } from './bundle-sizes.ts';
import { filesOfPages, firstViewBudgetBytes, firstViewFiles, maxFilesOfPage } from './first-view.ts';

function kB(bytes: number) {
  return `${(bytes / 1000).toFixed(1)} kB`;
}

if (!existsSync(metafilePath)) {
  console.error(`${metafilePath} is missing: run "node build/bundle.ts" first.`);
  process.exit(1);
}

const bundles = sizesOf(JSON.parse(readFileSync(metafilePath, 'utf8')) as Metafile);

for (const { file, bytes } of bundles) {
  console.log(`${kB(bytes).padStart(10)}  ${dirname(file).replace('dist/functions/', '')}`);
}

const tooBig = overBudget(bundles, bundleBudgetBytes);
for (const { file, bytes, biggestInputs } of tooBig) {
  const inputs = biggestInputs.map((input) => `${input.path} (${kB(input.bytes)})`).join(', ');
  console.error(
    `${file} is ${kB(bytes)}, over the budget of ${kB(bundleBudgetBytes)} (1 kB = 1,000 bytes). Most of it: ${inputs}.`,
  );
}

const firstView = firstViewFiles();
const firstViewBytes = firstView.reduce((total, { bytes }) => total + bytes, 0);
for (const { file, bytes } of firstView) console.log(`${kB(bytes).padStart(10)}  ${file}`);
if (firstViewBytes > firstViewBudgetBytes) {
  console.error(
    `The console's first view is ${kB(firstViewBytes)}, over the budget of ${kB(firstViewBudgetBytes)}.`,
  );
}

const tooManyFiles = [...filesOfPages()].filter(([, files]) => files.length > maxFilesOfPage);
for (const [page, files] of tooManyFiles) {
  console.error(
    `The console's page ${page} loads ${files.length} files, more than ${maxFilesOfPage}: ${files.join(', ')}.`,
  );
}

if (tooBig.length > 0 || firstViewBytes > firstViewBudgetBytes || tooManyFiles.length > 0) process.exit(1);
console.log(
  `${bundles.length} bundles, each within ${kB(bundleBudgetBytes)} (1 kB = 1,000 bytes, minified, without its source map).`,
);
console.log(
  `The console's first view is ${kB(firstViewBytes)} in ${firstView.length} files, compressed: within ${kB(firstViewBudgetBytes)}. No page loads more than ${maxFilesOfPage} files.`,
);
