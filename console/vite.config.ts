import { defineConfig } from 'vite';

/** Matches code that only one page needs. The first view loads every library that is not listed here. */
const onlyOnePage =
  /\/(?:console\/pages|docs\/snippets|node_modules\/(?:leaflet|papaparse|swagger-ui-dist))\//;

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    manifest: true,
    target: 'es2023',
    // These are the first browsers with AbortSignal.any(), and with light-dark(), whose colours Vite would lose for older ones.
    cssTarget: ['chrome123', 'firefox124', 'safari17.5'],
    // An inlined file would need `data:` in the Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The renderer of the API reference is this large. Only its own page loads it.
    chunkSizeWarningLimit: 1_800,
    rolldownOptions: {
      checks: { pluginTimings: false },
      output: {
        // Makes one script for each page and one for the code that pages share. A browser requests all files of a page
        // at once, and each request occupies one of the few executions of the function that serves them.
        codeSplitting: {
          groups: [{ name: 'index', test: (id) => !onlyOnePage.test(id) }],
        },
      },
      onLog: (level, log, handle) => {
        // Mantine marks its files with 'use client' for servers that render React, which we do not have.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level, log);
      },
    },
  },
});
