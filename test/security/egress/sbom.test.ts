import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Metafile } from 'esbuild';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');

function sbom(...args: string[]) {
  return spawnSync(process.execPath, ['build/sbom.ts', ...args], { cwd: root, encoding: 'utf8' });
}

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
  expect(sbom()).toMatchObject({ status: 0, stderr: '' });
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

test('what a development tool needs too is in it, and the tools are not', () => {
  const names = namesOf(jsonOf('dist/sbom.json').components);
  // npm's own `--omit dev` would leave out the first two.
  expect(names).toEqual(
    expect.arrayContaining(['@aws-sdk/client-sqs', '@smithy/core', 'zod', '@mantine/core', 'react']),
  );
  expect(names).not.toContain('aws-cdk-lib');
  expect(names).not.toContain('@dynoxide/linux-x64');
  expect(names).not.toContain('vite');
});

test('an unknown option or argument ends the command with exit code 2', () => {
  expect(sbom('--bogus')).toMatchObject({ status: 2, stderr: "error: unknown option '--bogus'\n" });
  expect(sbom('foo')).toMatchObject({ status: 2, stderr: expect.stringContaining('too many arguments') });
  expect(sbom('--help')).toMatchObject({ status: 0, stderr: '' });
});
