import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Metafile } from 'esbuild';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');

function jsonOf(file: string) {
  return JSON.parse(readFileSync(resolve(root, file), 'utf8'));
}

type Component = { name: string; purl: string; hashes: { alg: string }[]; licenses: unknown[] };

test('the bill of materials lists exactly the packages whose code is deployed, each with checksum and licence', () => {
  execFileSync(process.execPath, ['build/sbom.ts'], { cwd: root, stdio: 'pipe' });
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
  const names = (components as Component[]).map(({ name }) => name);
  expect(names.toSorted()).toEqual([...new Set(bundled)].sort());

  for (const { purl, hashes, licenses } of components as Component[]) {
    expect([purl, hashes.map(({ alg }) => alg), licenses.length]).toEqual([purl, ['SHA-512'], 1]);
  }
});

test('what a tool of the development needs too is in it, and the tools are not', () => {
  const names = (jsonOf('dist/sbom.json').components as Component[]).map(({ name }) => name);
  // npm's own `--omit dev` leaves the first two out.
  expect(names).toEqual(expect.arrayContaining(['@aws-sdk/client-sqs', '@smithy/core', 'zod']));
  expect(names).not.toContain('aws-cdk-lib');
  expect(names).not.toContain('@dynoxide/linux-x64');
});
