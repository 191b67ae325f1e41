import { defineConfig } from 'vite';

/** Code that a single page needs. A library that is not listed here is loaded with the first page. */
const ofOnePage = /\/(?:console\/pages|docs\/snippets|node_modules\/(?:leaflet|papaparse|swagger-ui-dist))\//;

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    manifest: true,
    target: 'es2023',
    // The first that know light-dark(), which would otherwise be rewritten and lose its colours.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // Inlined files would need `data:` in the Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The renderer of the API reference, which is loaded with its page only.
    chunkSizeWarningLimit: 1_600,
    rolldownOptions: {
      checks: { pluginTimings: false },
      output: {
        // One script for each page, and one for what pages share: a browser requests the files of a page all at once,
        // and each of them occupies one of the few executions of the function that serves them.
        codeSplitting: {
          groups: [
            { name: 'index', test: (id) => !ofOnePage.test(id) },
            { name: 'callbacks', test: /\/(?:console\/pages\/callbacks|docs\/snippets)\// },
          ],
        },
      },
      onLog: (level, log, handle) => {
        // Mantine marks its files for servers that render React; there is none here.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level, log);
      },
    },
  },
});
