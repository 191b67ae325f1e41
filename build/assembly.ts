import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, statSync, utimesSync } from 'node:fs';
import { stageConfig } from '../infra/config.ts';
import { failure } from '../ops/cli/command-line.ts';

/** An assembly is made of these files. */
export const sources = [
  'functions/**',
  'shared/**',
  'infra/**',
  'build/**',
  'console/**',
  'docs/openapi.json',
  'docs/snippets/**',
  'cdk.json',
  'package-lock.json',
  'tsconfig.json',
];

/**
 * The newest change of any source, in whole ms. Folders count too, because removing a file changes only its folder; a file
 * that an editor has just renamed is gone.
 */
export function newestSourceMs(): number {
  const times = globSync(sources).map((path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  return Math.floor(Math.max(...times));
}

/** False if another stage was synthesized into the folder: the CDK CLI adds its templates to those that are there. */
function hasOnlyDev(assemblyDir: string): boolean {
  return globSync('*.template.json', { cwd: assemblyDir }).every((file) =>
    file.startsWith(`${stageConfig('dev').namePrefix}-`),
  );
}

/** True when the assembly is missing, of another stage, or older than what it was made from. */
export function isStale(assemblyDir: string): boolean {
  const made = statSync(`${assemblyDir}/manifest.json`, { throwIfNoEntry: false });
  return made === undefined || !hasOnlyDev(assemblyDir) || made.mtimeMs < newestSourceMs();
}

/** The folder of the assembly of dev, which is built first when it is missing or out of date. */
export async function currentAssembly(): Promise<string> {
  if (isStale('cdk.out')) await buildAssembly();
  return 'cdk.out';
}

/**
 * Bundles the functions and synthesizes the templates. The assembly gets the time of its newest source: what is saved
 * during the build is newer.
 */
export async function buildAssembly(): Promise<void> {
  const madeOf = new Date(newestSourceMs());
  for (const program of ['build/bundle.ts', 'infra/app.ts']) {
    // Print progress to stderr: stdout is for the result of the command that needs the build.
    const child = spawn(process.execPath, [program], { stdio: ['inherit', process.stderr, 'inherit'] });
    const [code] = await once(child, 'exit');
    if (code !== 0) throw failure(`${program} failed (see its message above).`);
  }
  utimesSync('cdk.out/manifest.json', madeOf, madeOf);
}
