import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import type { Metafile } from 'esbuild';
import { flagsOrEnd } from '../infra/arguments.ts';
import { metafilePath } from '../infra/bundle-paths.ts';
import { bundledPackages } from './bundled-packages.ts';

/** What of a CycloneDX document is read here; the rest is passed on as npm wrote it. */
interface Sbom {
  readonly metadata: { readonly component: { readonly 'bom-ref': string; readonly name: string } };
  readonly components: readonly { readonly 'bom-ref': string }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

const file = 'dist/sbom.json';

flagsOrEnd(`Writes ${file}: a bill of materials (CycloneDX) of the packages whose code is deployed.

npm run sbom [-- --help]`);

/**
 * Lists what is deployed: the packages in the bundles, with npm's word on licence and checksum of each. `npm sbom
 * --omit dev` would not do: it leaves out packages that a tool of the development needs too, and names some whose
 * code is in no bundle.
 */
const everything: Sbom = JSON.parse(
  execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx'], {
    encoding: 'utf8',
    maxBuffer: 100_000_000,
    stdio: ['ignore', 'pipe', 'inherit'],
  }),
);
const bundled = new Set(bundledPackages(JSON.parse(readFileSync(metafilePath, 'utf8')) as Metafile));

const components = everything.components.filter((component) => bundled.has(component['bom-ref']));
const listed = new Set(components.map((component) => component['bom-ref']));
const missing = [...bundled].filter((name) => !listed.has(name));
if (missing.length > 0) {
  console.error(`npm does not know packages that are in the bundles: ${missing.join(', ')}.`);
  process.exit(1);
}

const { component } = everything.metadata;
const kept = new Set([component['bom-ref'], ...listed]);
// npm calls it as the folder is called, which is another name in every clone.
const metadata = { ...everything.metadata, component: { ...component, name: 'partner-integration-service' } };
const dependencies = everything.dependencies
  .filter(({ ref }) => kept.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((name) => kept.has(name)) }));

writeFileSync(file, `${JSON.stringify({ ...everything, metadata, components, dependencies }, null, 2)}\n`);
console.log(`${file} lists the ${components.length} packages that are in the bundles.`);
