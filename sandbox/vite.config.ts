import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const pages = new URL('./pages/', import.meta.url);

// One build for all pages of the sandbox; a new page is one more HTML file here and in src/pages/pages.routes.ts.
// plain.html is the frame of the pages that the sandbox writes itself (src/pages/page-shell.ts).
export default defineConfig({
  root: pages.pathname,
  base: '/pages/',
  plugins: [react()],
  build: {
    outDir: new URL('../dist/sandbox/pages/', import.meta.url).pathname,
    emptyOutDir: true,
    assetsInlineLimit: 0,
    rolldownOptions: { input: ['phone', 'mail', 'plain'].map((page) => new URL(`./${page}.html`, pages).pathname) },
  },
});
