import { reactRouter } from '@react-router/dev/vite';
import { defaultClientConditions, defaultServerConditions, defineConfig } from 'vite';
import { flags } from './build/flags.js';

// What every public page needs comes in two pieces rather than in twenty: one that changes with React, one that changes with us.
const chunks = [
  { name: 'react', test: /node_modules[\\/](react|react-dom|react-router|scheduler)[\\/]/ },
  {
    name: 'shell',
    test: /web[\\/]src[\\/]([a-z-]+\.|components[\\/](header|footer|page-shell)|ui[\\/])|@tabler[\\/]icons-react[\\/]dist[\\/]esm[\\/]create/,
  },
  // Named before the dashboard, which would take along whatever else it needs.
  { name: 'limits', test: /contract[\\/]limits/ },
  { name: 'forms', test: /web[\\/]src[\\/]api[\\/]api-failure|contract[\\/]errors/ },
  { name: 'dashboard', test: /node_modules[\\/]@tanstack[\\/]|web[\\/]src[\\/]dashboard[\\/]/ },
];

export default defineConfig({
  root: import.meta.dirname,
  plugins: [flags(), reactRouter()],
  // package.json's `imports` lead to the sources under the condition `source`.
  resolve: { conditions: ['source', ...defaultClientConditions] },
  ssr: { resolve: { conditions: ['source', ...defaultServerConditions] } },
  build: { target: 'es2023', assetsInlineLimit: 0, emptyOutDir: true, reportCompressedSize: false },
  environments: { client: { build: { rolldownOptions: { output: { codeSplitting: { groups: chunks } } } } } },
  server: { proxy: { '/api': 'http://localhost:3000', '/auth': 'http://localhost:3000' } },
});
