import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { consoleFolder } from '../../../build/console.ts';
import { stageConfig } from '../../../infra/config.ts';
import { consoleFixture } from '../../support/console.ts';

type Chunk = {
  name: string;
  file: string;
  isEntry?: boolean;
  imports?: string[];
  dynamicImports?: string[];
  css?: string[];
};

const { running } = consoleFixture('', { hasEndpoint: false });
const manifest: Record<string, Chunk> = JSON.parse(
  readFileSync(join(consoleFolder, '.vite/manifest.json'), 'utf8'),
);
/** The files that a browser loads when it opens a page first, by page. Pages are the entry's dynamic imports. */
const pages = new Map(
  manifest['index.html']?.dynamicImports?.map((page) => [String(manifest[page]?.name), filesOf(page)]),
);

function filesOf(page: string): string[] {
  const files = new Set(['index.html']);
  for (const key of ['index.html', page]) addFiles(key, files);
  return [...files];
}

function addFiles(key: string, files: Set<string>): void {
  const { file, isEntry, imports = [], dynamicImports = [], css = [] } = manifest[key] as Chunk;
  if (files.has(file)) return;
  for (const loaded of [file, ...css]) files.add(loaded);
  for (const imported of [...imports, ...(isEntry ? [] : dynamicImports)]) addFiles(imported, files);
}

const first = ['index.html', 'index.js', 'index.css'];

/** Turns `assets/index-6mFXokhD.js` into `index.js`. */
function withoutHash(file: string): string {
  return file.replace(/^assets\/(.+)-[\w-]{8}\.(\w+)$/, '$1.$2');
}

test('a page that is opened first loads four files, and a later one loads one', () => {
  expect(pages.size).toBe(10);
  for (const [page, files] of pages) expect(files.map(withoutHash)).toEqual([...first, `${page}.js`]);
});

test('the page is built for production, also where tests built it', () => {
  const [script = ''] = (pages.get('overview') ?? []).filter((file) => file.endsWith('.js'));
  const code = brotliDecompressSync(readFileSync(join(consoleFolder, `${script}.br`))).toString();
  // Only React's development build has the second name.
  expect(['createElement', 'react_stack_bottom_frame'].map((name) => code.includes(name))).toEqual([
    true,
    false,
  ]);
});

test('a browser downloads at most 250,000 bytes to show the sign-in and the overview', () => {
  const sizes = (pages.get('overview') ?? []).map((file) => {
    const compressed = join(consoleFolder, `${file}.br`);
    return statSync(existsSync(compressed) ? compressed : join(consoleFolder, file)).size;
  });
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  expect(bytes).toBeGreaterThan(100_000);
  expect(bytes).toBeLessThanOrEqual(250_000);
});

test('the ceiling of prod is above what ten browsers have under way at once: the files that follow the page, or those of a later page', () => {
  const inParallel = Math.max(
    first.length - 1,
    ...[...pages.values()].map((files) => files.length - first.length),
  );
  expect(inParallel).toBe(2);
  expect(stageConfig('prod').reservedConcurrency['ServeConsole']).toBeGreaterThanOrEqual(10 * inParallel);
});

test.each(['', '/console', '/console/keys', `/console/${pages.get('overview')?.[1]}`, '/openapi.json'])(
  'HEAD of %s says what GET would send, without sending it',
  async (path) => {
    const url = `${running.service.endpoints.baseUrl}${path}`;
    const [head, get] = await Promise.all(
      ['HEAD', 'GET'].map((method) => fetch(url, { method, redirect: 'manual' })),
    );
    expect([head?.status, head?.headers.get('etag')]).toEqual([get?.status, get?.headers.get('etag')]);
    expect(head?.headers.get('content-length')).toBe(get?.headers.get('content-length'));
    expect(await head?.text()).toBe('');
  },
);
