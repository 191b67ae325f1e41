import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { Command } from '@commander-js/extra-typings';
import { metafilePath } from '../infra/bundle-paths.ts';
import { parseOrExit } from './command-line.ts';

/** What of a CycloneDX document is read here; the rest stays as the generator wrote it. */
interface Sbom {
  readonly components: readonly { 'bom-ref': string; group?: string; name: string; version?: string }[];
  readonly dependencies: readonly { ref: string; dependsOn?: string[] }[];
}

interface Lockfile {
  readonly packages: Record<string, { readonly version: string; readonly integrity?: string }>;
}

const file = 'dist/sbom.json';

parseOrExit(
  new Command('npm run sbom').description(
    `Writes ${file}: a bill of materials (CycloneDX) of the packages whose code is deployed.`,
  ),
);

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(path, 'utf8')) as T;
}

const generator = 'node_modules/@cyclonedx/cyclonedx-esbuild/bin/cyclonedx-esbuild-cli.js';
execFileSync(process.execPath, [generator, '--validate', '--output-file', file, metafilePath], {
  stdio: ['ignore', 'ignore', 'pipe'],
});
const sbom = readJson<Sbom>(file);

// The generator reads the installed packages, which have no checksum: the lockfile has that of each archive.
const checksums = new Map(
  Object.entries(readJson<Lockfile>('package-lock.json').packages).map(([path, { version, integrity }]) => [
    `${path.split('node_modules/').at(-1)}@${version}`,
    Buffer.from(integrity?.replace('sha512-', '') ?? '', 'base64').toString('hex'),
  ]),
);

/** Node's own modules, which the bundler's plugin resolves, are no packages. */
function isPackage(ref: string): boolean {
  return !ref.startsWith('VirtualComponent ');
}

const components = sbom.components
  .filter((component) => isPackage(component['bom-ref']))
  .map((component) => {
    const { group, name, version } = component;
    const content = checksums.get(`${group ? `${group}/` : ''}${name}@${version}`);
    if (!content) throw new Error(`The lockfile has no checksum of ${name} ${version}.`);
    return { ...component, hashes: [{ alg: 'SHA-512', content }] };
  });
const dependencies = sbom.dependencies
  .filter(({ ref }) => isPackage(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter(isPackage) }));

writeFileSync(file, `${JSON.stringify({ ...sbom, components, dependencies }, null, 2)}\n`);
console.log(`${file} lists the ${components.length} packages that are in the bundles.`);
