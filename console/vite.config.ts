import { defineConfig } from 'vite';

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
      onLog: (level, log, handle) => {
        // Mantine marks its files for servers that render React; there is none here.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level, log);
      },
    },
  },
});
