import { fileURLToPath } from 'node:url';
import { reactRouter } from '@react-router/dev/vite';
import { defineConfig } from 'vite';
import { flags } from './build/flags.js';

// What every public page needs comes in two pieces rather than in twenty: one that changes with React, one that changes with us.
const chunks = [
  { name: 'react', test: /node_modules[\\/](react|react-dom|react-router|scheduler)[\\/]/ },
  {
    name: 'shell',
    test: /web[\\/]src[\\/](components|ui|[a-z-]+\.)|@tabler[\\/]icons-react[\\/]dist[\\/]esm[\\/]create/,
  },
];

export default defineConfig({
  root: import.meta.dirname,
  plugins: [flags(), reactRouter()],
  // package.json's `#contract` leads to what tsc builds; the pages are built beside it, from the sources.
  resolve: { alias: { '#contract': fileURLToPath(new URL('../contract/src', import.meta.url)) } },
  build: { target: 'es2023', assetsInlineLimit: 0, emptyOutDir: true, reportCompressedSize: false },
  environments: { client: { build: { rolldownOptions: { output: { codeSplitting: { groups: chunks } } } } } },
  server: { proxy: { '/api': 'http://localhost:3000', '/auth': 'http://localhost:3000' } },
});
