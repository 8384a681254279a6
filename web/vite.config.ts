import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';
import { regions } from '../contract/regions.js';
import react from '@vitejs/plugin-react';
import { prerender } from './build/prerender.js';
import { defaultClientConditions, defaultServerConditions, defineConfig } from 'vite';

// Public pages share two chunks rather than twenty: `react` changes with React, `shell` with our
// code.
const chunks = [
  { name: 'react', test: /node_modules[\\/](react|react-dom|react-router|scheduler)[\\/]/ },
  {
    name: 'shell',
    test: /web[\\/]src[\\/]([a-z-]+\.|features[\\/]site[\\/]page-shell|ui[\\/](button|code|credits|field|hooks|icons|line-icons|page-frame|surface|toast)\.)/,
  },
  // These chunks precede `dashboard`, which takes every dependency without a chunk.
  { name: 'limits', test: /contract[\\/]limits/ },
  { name: 'sign-in', test: /contract[\\/]sign-in/ },
  { name: 'packs', test: /contract[\\/]packs/ },
  { name: 'regions', test: /contract[\\/]regions/ },
  { name: 'forms', test: /web[\\/]src[\\/](api[\\/]api-failure|ui[\\/]form\.)|contract[\\/]sign-up/ },
  // Public pages also load these modules.
  { name: 'tables', test: /web[\\/]src[\\/]ui[\\/](data-table|format|view)\./ },
  // Modules of a public page that calls the API.
  {
    name: 'calls',
    test: /node_modules[\\/]zod[\\/]|contract[\\/](account|errors)\.|web[\\/]src[\\/]api[\\/]call\./,
  },
  // Separate from the chunk of Home, which loads first.
  { name: 'phone-numbers', test: /node_modules[\\/]libphonenumber-js[\\/]|web[\\/]src[\\/]ui[\\/]phone-number/ },
  {
    name: 'dashboard',
    test: new RegExp(
      [
        'node_modules/@tanstack/',
        'web/src/ui/(dialog|filter-fields|masked-secret)\\.',
        'web/src/dashboard/(frame/(dashboard-context|icons)\\.|live/|failures/)',
        // The other records show phone numbers, which Home does not.
        'web/src/dashboard/records/(?!(delivery-dialog|ledger-columns|test-event)\\.)',
        'web/src/features/composer/(composer-fields|outgoing-message|sent-message)\\.',
        'web/src/api/webhook\\.',
      ]
        .join('|')
        .replaceAll('/', '[\\\\/]'),
    ),
  },
];

const NAME = 'virtual:flags';

/**
 * `import url from 'virtual:flags'`: one SVG sprite with a symbol per region, named by its ISO
 * code.
 */
function flags(): Plugin {
  const sprite = flagSprite();
  const fileName = `assets/flags-${createHash('sha256').update(sprite).digest('hex').slice(0, 8)}.svg`;
  return {
    name: 'flags',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    load(id) {
      if (id !== `\0${NAME}`) return undefined;
      if (!this.meta.watchMode) this.emitFile({ type: 'asset', fileName, source: sprite });
      return `export default '/${fileName}'`;
    },
    configureServer({ middlewares }) {
      middlewares.use(`/${fileName}`, (_request, response) => {
        response.setHeader('Content-Type', 'image/svg+xml').end(sprite);
      });
    },
  };
}

/** The sprite, from the 3:2 flags of country-flag-icons. */
function flagSprite(): string {
  const folder = join(dirname(createRequire(import.meta.url).resolve('country-flag-icons/package.json')), '3x2');
  const symbols = regions.map(({ iso2 }) =>
    readFileSync(join(folder, `${iso2}.svg`), 'utf8')
      .trim()
      .replace(/^<svg xmlns="[^"]+"/, `<symbol id="${iso2}"`)
      .replace(/<\/svg>$/, '</symbol>'),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg">${symbols.join('')}</svg>\n`;
}

/**
 * Replaces Vite's helper for dynamic imports, which does not wait for a style sheet that another
 * import already loads, and loads the code only after the style sheets.
 */
const preloadHelper = `const loaded = {};
const add = (file) => new Promise((done, fail) => {
  if (document.querySelector('link[href$="' + file + '"]')) return done();
  const isStyle = file.endsWith('.css');
  const link = document.createElement('link');
  link.rel = isStyle ? 'stylesheet' : 'modulepreload';
  link.href = '/' + file;
  if (isStyle) { link.onload = done; link.onerror = fail; } else done();
  document.head.append(link);
});
export const __vitePreload = async (load, files = []) =>
  (await Promise.all([load(), ...files.map((file) => (loaded[file] ??= add(file)))]))[0];`;

function waitingPreload(): Plugin {
  let isUsed = false;
  return {
    name: 'waiting-preload',
    apply: 'build',
    enforce: 'pre',
    load(id) {
      if (id !== '\0vite/preload-helper.js') return undefined;
      isUsed = true;
      return preloadHelper;
    },
    buildEnd(error) {
      if (!error && !isUsed && this.environment.name === 'client')
        this.error('Vite has another module for its preload helper: adapt this plugin');
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [flags(), waitingPreload(), react(), prerender()],
  // package.json's `imports` lead to the sources under the condition `source`.
  resolve: { conditions: ['source', ...defaultClientConditions] },
  ssr: { resolve: { conditions: ['source', ...defaultServerConditions] } },
  build: { target: 'es2023', assetsInlineLimit: 0, emptyOutDir: true, reportCompressedSize: false },
  environments: {
    client: { build: { rolldownOptions: { output: { codeSplitting: { groups: chunks } } } } },
  },
  server: { proxy: { '/api': 'http://localhost:3000', '/auth': 'http://localhost:3000' } },
});
