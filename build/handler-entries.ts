import { basename, dirname, resolve } from 'node:path';
import type { Plugin } from 'esbuild';

const scheme = 'handler:';

/** The entry point of a bundle: `functions/places/start-sync.ts` -> `handler:functions/places/start-sync.ts`. */
export function handlerEntry(file: string): string {
  return scheme + file;
}

/** `functions/places/start-sync.ts` -> `startSync`. */
export function factoryName(file: string): string {
  return basename(file, '.ts').replaceAll(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase());
}

/**
 * Writes the module that Lambda loads for each function. It calls the factory of the function's file, which has the
 * file's name, while the instance starts: a missing environment variable fails the start, not the first request.
 */
export const handlerEntries: Plugin = {
  name: 'handler-entries',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^handler:/ }, ({ path }) => ({
      path: path.slice(scheme.length),
      namespace: 'handler',
    }));
    onLoad({ filter: /./, namespace: 'handler' }, ({ path }) => {
      const factory = factoryName(path);
      return {
        contents: `import { ${factory} } from './${basename(path)}'; export const handler = ${factory}();`,
        resolveDir: resolve(dirname(path)),
      };
    });
  },
};
