import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, statSync } from 'node:fs';
import { configOf } from '../infra/config.ts';
import { failure } from './command-line.ts';

const sources = [
  'functions/**',
  'shared/**',
  'infra/**',
  'console/**',
  'docs/openapi.json',
  'cdk.json',
  'package-lock.json',
  'tsconfig.json',
];

/** Folders count too: a file that was removed changes its folder only. */
export function newestSourceMs(): number {
  return Math.max(...globSync(sources).map((path) => statSync(path).mtimeMs));
}

/** Whether no template of another stage is there: the CDK CLI adds those it synthesizes to those it finds. */
function hasOnlyDev(assemblyDir: string): boolean {
  return globSync('*.template.json', { cwd: assemblyDir }).every((file) =>
    file.startsWith(`${configOf('dev').namePrefix}-`),
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

async function run(program: string, environment: Record<string, string>): Promise<boolean> {
  const child = spawn(process.execPath, [program], {
    // Its output is progress: standard output is for the result of the command that builds.
    stdio: ['inherit', process.stderr, 'inherit'],
    env: { ...process.env, ...environment },
  });
  const [code] = await once(child, 'exit');
  return code === 0;
}

/** Bundles the functions and synthesizes the templates, as `npm run build` does. */
export async function buildAssembly(intoFolder?: string): Promise<void> {
  const environment = intoFolder ? { CDK_OUTDIR: intoFolder } : {};
  for (const program of ['build/bundle.ts', 'infra/app.ts']) {
    if (await run(program, environment)) continue;
    throw failure(`${program} failed (see its message above).`);
  }
}
