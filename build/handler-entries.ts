import { basename, dirname, resolve } from 'node:path';
import type { Plugin } from 'esbuild';

const scheme = 'handler:';

/**
 * The entry point of a function's bundle: `functions/places/start-sync.ts` -> `handler:functions/places/start-sync.ts`.
 */
export function handlerEntry(file: string): string {
  return scheme + file;
}

/**
 * Writes the module that Lambda loads for each function. It calls the `createHandler` of the function's file while the
 * instance starts, so that a missing environment variable fails the start, not the first request.
 */
export const handlerEntries: Plugin = {
  name: 'handler-entries',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^handler:/ }, ({ path }) => ({
      path: path.slice(scheme.length),
      namespace: 'handler',
    }));
    onLoad({ filter: /./, namespace: 'handler' }, ({ path }) => ({
      contents: `import { createHandler } from './${basename(path)}'; export const handler = createHandler();`,
      resolveDir: resolve(dirname(path)),
    }));
  },
};
