import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

export type Source = { file: string; code: string };
/** An import of one of our own modules. One of types alone is gone when the program runs. */
export type Import = { from: string; to: string; ofTypes: boolean };

const root = resolve(import.meta.dirname, '../..');
const folders = ['functions', 'shared', 'infra', 'build', 'console', 'ops', 'local', 'bench', 'docs', 'test'];

/** Reads every source of the project, with paths from its root. */
export function readSources(): Source[] {
  return globSync(
    folders.map((folder) => `${folder}/**/*.{ts,tsx,js}`),
    { cwd: root, exclude: ['test/clients/{node_modules,generated}'] },
  ).map((file) => ({ file, code: readFileSync(join(root, file), 'utf8') }));
}

/** Returns the imports of our own modules, whose paths begin with a dot, including type imports and `import()`. */
export function importsOf({ file, code }: Source): Import[] {
  const statements = code.matchAll(/\b(import type [^;]*?)?\b(?:from|import) ?\(?\s*'(\.[^']+)'/g);
  return [...statements].map(([, types, path = '']) => ({
    from: file,
    to: join(dirname(file), path),
    ofTypes: types !== undefined,
  }));
}
