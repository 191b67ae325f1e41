import { execSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { Command } from '@commander-js/extra-typings';
import type { Metafile } from 'esbuild';
import { metafilePath } from '../infra/bundle-paths.ts';
import { runProgram } from '../ops/cli/command-line.ts';
import { consolePackages } from './console.ts';

/** The members of npm's document that are changed here. */
type Sbom = {
  metadata: { component: { readonly 'bom-ref': string } };
  components: readonly { readonly 'bom-ref': string }[];
  dependencies: readonly { ref: string; dependsOn: readonly string[] }[];
};

type Lockfile = { name: string; packages: Record<string, { version: string }> };

const file = 'dist/sbom.json';

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(path, 'utf8')) as T;
}

/** The name of the file's package in npm's document: `zod@4.6.7`. Empty for our own files. */
function findRef(path: string, { packages }: Lockfile): string[] {
  const [folder, name] = /^.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? [];
  return folder === undefined ? [] : [`${name}@${packages[folder]?.version}`];
}

function writeSbom(): void {
  const lockfile = readJson<Lockfile>('package-lock.json');
  const { outputs } = readJson<Metafile>(metafilePath);
  const bundled = Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs));
  const inConsole = readJson<string[]>(consolePackages).map((name) => `node_modules/${name}`);
  const ofFunctions = new Set(bundled.flatMap((path) => findRef(path, lockfile)));
  const deployed = new Set([...ofFunctions, ...inConsole.flatMap((path) => findRef(path, lockfile))]);

  // The list is made of everything installed: --omit dev would also leave out packages that a development tool shares.
  const npmSbom = 'npm sbom --sbom-format cyclonedx --sbom-type application';
  const all = execSync(npmSbom, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const sbom: Sbom = JSON.parse(all);
  const components = sbom.components.filter((component) => deployed.has(component['bom-ref']));
  if (components.length !== deployed.size)
    throw new Error(`npm lists ${components.length} of ${deployed.size} packages: run npm ci, then build.`);

  // npm names the component after the folder.
  const component = { ...sbom.metadata.component, name: lockfile.name };
  const described = new Set([component['bom-ref'], ...deployed]);
  const dependencies = sbom.dependencies
    .filter(({ ref }) => described.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => described.has(one)) }));
  const metadata = { ...sbom.metadata, component };
  writeFileSync(file, `${JSON.stringify({ ...sbom, metadata, components, dependencies }, null, 2)}\n`);
  const more = deployed.size - ofFunctions.size;
  console.log(
    `${file} lists the ${ofFunctions.size} packages in the bundles and ${more} more of the console.`,
  );
}

process.exitCode = await runProgram(
  new Command('npm run sbom')
    .description(`Writes ${file}: a bill of materials (CycloneDX) of the packages whose code is deployed.`)
    .action(writeSbom),
);
