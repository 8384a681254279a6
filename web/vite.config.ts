import { fileURLToPath } from 'node:url';
import { reactRouter } from '@react-router/dev/vite';
import { defineConfig } from 'vite';
import { flags } from './build/flags.js';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [flags(), reactRouter()],
  // package.json's `#contract` leads to what tsc builds; the pages are built beside it, from the sources.
  resolve: { alias: { '#contract': fileURLToPath(new URL('../contract/src', import.meta.url)) } },
  build: { target: 'es2023', assetsInlineLimit: 0, emptyOutDir: true, reportCompressedSize: false },
  server: { proxy: { '/api': 'http://localhost:3000', '/auth': 'http://localhost:3000' } },
});
