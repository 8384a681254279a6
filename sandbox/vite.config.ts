import { readFileSync } from 'node:fs';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const pages = new URL('./ui/', import.meta.url);

/** Inserts the shared <head> before Vite resolves links; its paths are relative to the pages. */
const sharedHead: Plugin = {
  name: 'shared-head',
  transformIndexHtml: {
    order: 'pre',
    handler: (html) => html.replace('<!-- head -->', readFileSync(new URL('./frame/head.html', pages), 'utf8')),
  },
};

// One build for all pages: a new page is one more HTML file here and in pages/pages.ts.
// plain.html is the frame of the server-rendered pages (PageFrame in pages/pages.ts).
export default defineConfig({
  root: pages.pathname,
  base: '/pages/',
  plugins: [sharedHead, react()],
  build: {
    outDir: new URL('../dist/sandbox/ui/', import.meta.url).pathname,
    emptyOutDir: true,
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: ['phone', 'carriers', 'mail', 'hooks', 'plain'].map((page) => new URL(`./${page}.html`, pages).pathname),
    },
  },
});
