import { reactRouter } from '@react-router/dev/vite';
import { defaultClientConditions, defaultServerConditions, defineConfig } from 'vite';
import { flags } from './build/flags.js';

// Public pages share two chunks rather than twenty: `react` changes with React, `shell` with our code.
const chunks = [
  { name: 'react', test: /node_modules[\\/](react|react-dom|react-router|scheduler)[\\/]/ },
  {
    name: 'shell',
    test: /web[\\/]src[\\/]([a-z-]+\.|features[\\/]site[\\/]page-shell|ui[\\/](button|code|copy-button|credits|field|hooks|icons|page-frame|surface|table|toast)\.)|@tabler[\\/]icons-react[\\/]dist[\\/]esm[\\/]create/,
  },
  // Listed before `dashboard`, which takes every dependency that has no chunk yet.
  { name: 'limits', test: /contract[\\/]limits/ },
  { name: 'return-path', test: /contract[\\/]return-path/ },
  { name: 'packs', test: /contract[\\/]packs/ },
  { name: 'forms', test: /web[\\/]src[\\/]api[\\/]api-failure|contract[\\/]sign-up-texts/ },
  {
    name: 'dashboard',
    test: /node_modules[\\/]@tanstack[\\/]|web[\\/]src[\\/](ui[\\/](data-table|dialog|filter-fields|format|masked-secret|tabs|view)|features[\\/]dashboard[\\/](dashboard-context|failures|live-events|query-client|status-label))\./,
  },
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
