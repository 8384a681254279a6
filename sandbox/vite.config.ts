import { readFileSync } from 'node:fs';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const pages = new URL('./ui/', import.meta.url);

/** What all pages have in their heads, put in before Vite looks for what they link to: its paths are those of the pages. */
const sharedHead: Plugin = {
  name: 'shared-head',
  transformIndexHtml: {
    order: 'pre',
    handler: (html) => html.replace('<!-- head -->', readFileSync(new URL('./frame/head.html', pages), 'utf8')),
  },
};

// One build for all pages of the sandbox; a new page is one more HTML file here and in pages/pages.routes.ts.
// plain.html is the frame of the pages that the sandbox writes itself (pages/page-shell.ts).
export default defineConfig({
  root: pages.pathname,
  base: '/pages/',
  plugins: [sharedHead, react()],
  build: {
    outDir: new URL('../dist/sandbox/ui/', import.meta.url).pathname,
    emptyOutDir: true,
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: ['phone', 'mail', 'hooks', 'plain'].map((page) => new URL(`./${page}.html`, pages).pathname),
    },
  },
});
