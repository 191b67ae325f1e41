import { createHash } from 'node:crypto';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';
import { bundleFolder } from '../infra/bundle-paths.ts';

export const consoleFolder = 'dist/console';
const hashFile = join(consoleFolder, 'made-of');
/** The names of the packages whose code is in the page, for the bill of materials. */
export const consolePackages = join(consoleFolder, 'packages.json');

type Built = { output: { moduleIds?: string[] }[] };

function packagesIn(built: readonly Built[]): string[] {
  const modules = built.flatMap(({ output }) => output.flatMap(({ moduleIds = [] }) => moduleIds));
  const names = modules.flatMap((id) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1] ?? []);
  return [...new Set(names)].sort();
}

/** The built console depends on these files alone, because it imports only types of contracts. */
const sources = [
  'console/**/*.{ts,tsx,css,html,svg}',
  'docs/openapi.json',
  'docs/snippets/*',
  'package-lock.json',
  'build/console.ts',
];

function hashOfSources(): string {
  const hash = createHash('sha256');
  for (const file of globSync(sources).sort()) hash.update(file).update(readFileSync(file));
  return hash.digest('hex');
}

/** Writes a copy for clients that accept brotli, and one for those that accept gzip only. */
function compressFile(from: string, to: string): void {
  const content = readFileSync(from);
  // Compared with quality 11, the files are a tenth larger and take a thirtieth of the time.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
  writeFileSync(`${to}.br`, brotliCompressSync(content, { params }));
  writeFileSync(`${to}.gz`, gzipSync(content, { level: 9 }));
}

/** Builds and compresses the web page, or takes what was built from the same sources. */
export async function buildConsole(): Promise<void> {
  const hash = hashOfSources();
  if (existsSync(hashFile) && readFileSync(hashFile, 'utf8') === hash) return;
  const startedAt = performance.now();
  // In tests `NODE_ENV` is `test`, for which Vite would take the development build of React, which is larger and slower.
  process.env.NODE_ENV = 'production';
  const built = await build({ configFile: 'console/vite.config.ts', logLevel: 'warn' });
  writeFileSync(consolePackages, JSON.stringify(packagesIn([built].flat() as Built[])));
  const assets = globSync(`${consoleFolder}/assets/*`);
  for (const file of assets) {
    compressFile(file, file);
    rmSync(file);
  }
  compressFile('docs/openapi.json', join(consoleFolder, 'openapi.json'));
  writeFileSync(hashFile, hash);
  const ms = Math.round(performance.now() - startedAt);
  console.log(`Built the console of ${assets.length} files into ${consoleFolder} in ${ms} ms.`);
}

/** Copies the built console beside the bundle of the function that serves it. */
export function copyConsole(): void {
  const folder = join(bundleFolder('ServeConsole'), 'files');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of ['index.html', 'openapi.json.br', 'openapi.json.gz', 'assets']) {
    cpSync(join(consoleFolder, name), join(folder, name), { recursive: true });
  }
}
