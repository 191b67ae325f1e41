import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { Command } from '@commander-js/extra-typings';
import { metafilePath } from '../infra/bundle-paths.ts';
import { parseOrExit } from './command-line.ts';
import { consolePackages } from './console.ts';

/** What of a CycloneDX document is read here; the rest stays as the generator wrote it. */
interface Sbom {
  readonly components: readonly { 'bom-ref': string; group?: string; name: string; version?: string }[];
  readonly dependencies: readonly { ref: string; dependsOn?: string[] }[];
}

interface Lockfile {
  readonly packages: Record<
    string,
    { readonly version: string; readonly integrity?: string; readonly license?: string }
  >;
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
const lockfile = readJson<Lockfile>('package-lock.json');
const checksums = new Map(
  Object.entries(lockfile.packages).map(([path, { version, integrity }]) => [
    `${path.split('node_modules/').at(-1)}@${version}`,
    checksumOf(integrity),
  ]),
);

function checksumOf(integrity = ''): string {
  return Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex');
}

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
/** Of the page, which another bundler has made. */
function componentOf(fullName: string) {
  const [name = '', group] = fullName.split('/').reverse();
  const { version, integrity, license } = lockfile.packages[`node_modules/${fullName}`] ?? {};
  if (!version || !license) throw new Error(`The lockfile lacks ${fullName} or its licence.`);
  return {
    type: 'library',
    'bom-ref': `${fullName}@${version}`,
    ...(group ? { group } : {}),
    name,
    version,
    licenses: [{ expression: license }],
    purl: `pkg:npm/${fullName.replace('@', '%40')}@${version}`,
    hashes: [{ alg: 'SHA-512', content: checksumOf(integrity) }],
  };
}

const ofFunctions = new Set(components.map(({ group, name }) => (group ? `${group}/${name}` : name)));
const ofConsole = readJson<string[]>(consolePackages)
  .filter((name) => !ofFunctions.has(name))
  .map(componentOf);

const dependencies = sbom.dependencies
  .filter(({ ref }) => isPackage(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter(isPackage) }));

writeFileSync(
  file,
  `${JSON.stringify({ ...sbom, components: [...components, ...ofConsole], dependencies }, null, 2)}\n`,
);
console.log(
  `${file} lists the ${components.length} packages that are in the bundles and ${ofConsole.length} more of the console.`,
);
