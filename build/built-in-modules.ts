import { builtinModules } from 'node:module';
import type { Plugin } from 'esbuild';

const names = new Set(builtinModules);

/** The SDK also imports `node:http` dynamically, when it calls an address without TLS. */
const imports: ReadonlySet<string> = new Set(['import-statement', 'dynamic-import']);

/**
 * Loads Node's own modules by `process.getBuiltinModule` instead of `import`. An import of an ES module evaluates every
 * export at once, used or not: for `node:http` that loads a whole second HTTP client (undici, behind
 * `WebSocket`), 15 ms of every cold start.
 */
export const builtInModules: Plugin = {
  name: 'built-in-modules',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^[a-z:/_0-9]+$/ }, ({ path, kind }) => {
      const name = path.replace(/^node:/, '');
      return imports.has(kind) && names.has(name)
        ? { path: name, namespace: 'built-in', sideEffects: false }
        : undefined;
    });
    onLoad({ filter: /./, namespace: 'built-in' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(`node:${path}`)});`,
      loader: 'js',
    }));
  },
};
