import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Metafile } from 'esbuild';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');

function jsonOf(file: string) {
  return JSON.parse(readFileSync(resolve(root, file), 'utf8'));
}

type Component = {
  group?: string;
  name: string;
  purl: string;
  hashes: { alg: string }[];
  licenses: unknown[];
};

function namesOf(components: Component[]): string[] {
  return components.map(({ group, name }) => (group ? `${group}/${name}` : name));
}

test('the bill of materials lists exactly the packages whose code is deployed, each with checksum and licence', () => {
  const made = spawnSync(process.execPath, ['build/sbom.ts'], { cwd: root, encoding: 'utf8' });
  expect(made).toMatchObject({ status: 0, stderr: '' });
  const { bomFormat, metadata, components } = jsonOf('dist/sbom.json');
  expect([bomFormat, metadata.component.name]).toEqual(['CycloneDX', 'partner-integration-service']);

  const { outputs } = jsonOf('dist/metafile.json') as Metafile;
  const used = new Set(Object.values(outputs).flatMap((output) => Object.keys(output.inputs)));
  const bundled = [...used]
    .filter((input) => input.startsWith('node_modules/'))
    .map((input) =>
      input
        .split('/')
        .slice(1, input.startsWith('node_modules/@') ? 3 : 2)
        .join('/'),
    );
  const ofConsole: string[] = jsonOf('dist/console/packages.json');
  expect(namesOf(components).toSorted()).toEqual([...new Set([...bundled, ...ofConsole])].sort());

  for (const { purl, hashes, licenses } of components as Component[]) {
    expect([purl, hashes.map(({ alg }) => alg), licenses.length]).toEqual([purl, ['SHA-512'], 1]);
  }
});
