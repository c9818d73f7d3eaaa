import { defineConfig } from 'vite';

/** Build of the status page. `tools/build/status-page.ts` writes its output. */
export default defineConfig({
  root: import.meta.dirname,
  // The daemon replaces `./` by the route prefix when it sends index.html.
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: { write: false, modulePreload: false, target: 'es2022' },
});
