import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';
import { regions } from '../contract/regions.js';
import { reactRouter } from '@react-router/dev/vite';
import { defaultClientConditions, defaultServerConditions, defineConfig } from 'vite';

// Public pages share two chunks rather than twenty: `react` changes with React, `shell` with our code.
const chunks = [
  { name: 'react', test: /node_modules[\\/](react|react-dom|react-router|scheduler)[\\/]/ },
  {
    name: 'shell',
    test: /web[\\/]src[\\/]([a-z-]+\.|features[\\/]site[\\/]page-shell|ui[\\/](button|code|credits|field|hooks|icons|line-icons|page-frame|surface|toast)\.)/,
  },
  // Listed before `dashboard`, which takes every dependency that has no chunk yet.
  { name: 'limits', test: /contract[\\/]limits/ },
  { name: 'sign-in', test: /contract[\\/]sign-in/ },
  { name: 'packs', test: /contract[\\/]packs/ },
  { name: 'regions', test: /contract[\\/]regions/ },
  { name: 'forms', test: /web[\\/]src[\\/]api[\\/]api-failure|contract[\\/]sign-up/ },
  // Also on a public page.
  { name: 'tables', test: /web[\\/]src[\\/]ui[\\/](data-table|format|view)\./ },
  // What a public page loads to call the API.
  {
    name: 'calls',
    test: /node_modules[\\/]zod[\\/]|contract[\\/](account|errors|quality|status)\.|web[\\/]src[\\/]api[\\/]call\./,
  },
  {
    name: 'dashboard',
    test: /node_modules[\\/]@tanstack[\\/]|web[\\/]src[\\/](ui[\\/](dialog|filter-fields|masked-secret)|features[\\/](dashboard[\\/](composer-fields|dashboard-context|delivery-dialog|failures|icons|ledger-columns|live-events|outgoing-message|sent-message|status-label)|messages[\\/]message-parts)|api[\\/]webhook)\./,
  },
];

const NAME = 'virtual:flags';

/** `import url from 'virtual:flags'`: one SVG sprite with a symbol per region, named by its ISO code. */
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

/** Functions of React Router for what no page has: fetchers, actions, route discovery, server components, instrumentation. */
const unusedRouterFunctions = [
  'handleFetcherAction',
  'handleFetcherLoader',
  'handleAction',
  'fetchAndApplyManifestPatches',
  'getRouteInstrumentationUpdates',
  'RSCErrorHandler',
];

/**
 * Lets the bundler leave out parts of React Router that no page uses. Components such as `Form`: their names for developer tools and
 * their calls of React count as side effects otherwise. Hints for developers. And functions that are reachable but never called: should
 * one be called after all, it throws.
 */
function leanRouter(): Plugin {
  return {
    name: 'lean-router',
    apply: 'build',
    transform(code, id) {
      if (!/node_modules[\\/]react-router[\\/]dist[\\/]/.test(id) || this.environment.name !== 'client')
        return undefined;
      let unnamed = code
        .replace(/^\w+\.displayName = "\w+";$/gm, '')
        .replace('var ENABLE_DEV_WARNINGS = true;', 'var ENABLE_DEV_WARNINGS = false;');
      for (const name of unusedRouterFunctions) {
        const body = new RegExp(`^( *)((?:async )?function ${name}\\([^)]*\\) \\{)[^]*?^\\1\\}`, 'm');
        unnamed = unnamed.replace(body, `$1$2 throw new Error("${name} is left out of the build"); }`);
      }
      return {
        code: withoutReload(unnamed).replace(
          /= (React\d*\.(?:forwardRef|createContext|memo)\()/g,
          '= /* @__PURE__ */ $1',
        ),
        map: null,
      };
    },
  };
}

/**
 * React Router reloads a page whose next view cannot be loaded. Without a connection that is the browser's error page, so the view
 * throws the error instead, to our error boundaries; in the dashboard always, as they reload only once.
 */
function withoutReload(code: string): string {
  if (!code.includes('async function loadRouteModule(')) return code;
  const reload = /window\.location\.reload\(\);\s+return new Promise\(\(\) => \{\s+\}\);/;
  if (!reload.test(code)) throw new Error('React Router loads its route modules in another way: adapt this plugin');
  const isOurs = `!navigator.onLine || location.pathname.startsWith('/dashboard')`;
  return code.replace(reload, (reloading) => `if (${isOurs}) return { default() { throw error; } };\n${reloading}`);
}

/** Vite's helper for dynamic imports, without nonces and other addresses than the root's: public pages carry it too. */
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
export const __vitePreload = (load, files = []) => Promise.all(files.map((file) => (loaded[file] ??= add(file)))).then(load);`;

function leanPreload(): Plugin {
  return {
    name: 'lean-preload',
    apply: 'build',
    enforce: 'pre',
    load: (id) => (id === '\0vite/preload-helper.js' ? preloadHelper : undefined),
  };
}

/** Functions of React Router that only print hints for developers. */
const hints = ['warning', 'warnOnce'];

export default defineConfig({
  root: import.meta.dirname,
  plugins: [flags(), leanPreload(), leanRouter(), reactRouter()],
  // package.json's `imports` lead to the sources under the condition `source`.
  resolve: { conditions: ['source', ...defaultClientConditions] },
  ssr: { resolve: { conditions: ['source', ...defaultServerConditions] } },
  build: { target: 'es2023', assetsInlineLimit: 0, emptyOutDir: true, reportCompressedSize: false },
  environments: {
    client: {
      build: {
        rolldownOptions: { treeshake: { manualPureFunctions: hints }, output: { codeSplitting: { groups: chunks } } },
      },
    },
  },
  server: { proxy: { '/api': 'http://localhost:3000', '/auth': 'http://localhost:3000' } },
});
