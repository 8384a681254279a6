import { prerender } from 'react-dom/static';
import { StaticRouter } from 'react-router';
import inter from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url';
import bricolage from '@fontsource/bricolage-grotesque/files/bricolage-grotesque-latin-700-normal.woff2?url';
import { pagePaths, sitemap } from '../build/pages.js';
import { preferencesScript } from './browser-storage.js';
import { earlyClickScript } from './early-click.js';
import { llmsText } from './features/docs/llms-text.js';
import { searchIndex } from './features/docs/search-index.js';
import { dataPath, PAGE_DATA, provideData } from './loading.js';
import { pageData } from './page-data.server.js';
import { paths } from './paths.js';
import { loadPage, Root, sourcesAt } from './routes.js';

// Runs only at build time and in Vite's development server.

/** The addresses of the files that a page loads at once. */
export interface Assets {
  /** The module that starts the others. */
  readonly entry: string;
  readonly modules: readonly string[];
  readonly styles: readonly string[];
}

export { pagePaths, sourcesAt };

/** Text files beside the pages, by path. */
export function textFiles(): ReadonlyMap<string, string> {
  return new Map([
    ['/sitemap.xml', sitemap()],
    [paths.llmsText, llmsText()],
    [paths.docsSearch, searchIndex()],
    ...[...pageData].map(([path, data]) => [dataPath(path), JSON.stringify(data)] as const),
  ]);
}

/** Renders a page to complete HTML; a page of the dashboard to its loading state. */
export async function renderPage(path: string, assets: Assets): Promise<string> {
  const data = pageData.get(path);
  provideData(path, data);
  await loadPage(path);
  const { prelude } = await prerender(
    <StaticRouter location={path}>
      <Root head={<Head {...assets} />} end={data !== undefined && <Data json={JSON.stringify(data)} />} />
    </StaticRouter>,
    { bootstrapModules: [assets.entry] },
  );
  return new Response(prelude).text();
}

/**
 * Zod's `z.config({ jitless: true })` without loading Zod: it would try `new Function`, which the
 * Content-Security-Policy stops.
 */
const zodWithoutEval = 'globalThis.__zod_globalConfig={jitless:true};';

function Head({ modules, styles }: Assets) {
  return (
    <>
      <meta charSet="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="theme-color" content="#faf7f2" media="(prefers-color-scheme: light)" />
      <meta name="theme-color" content="#14110f" media="(prefers-color-scheme: dark)" />
      {/* Loads fonts early enough for the first paint; see fonts.css. */}
      {[bricolage, inter].map((font) => (
        <link key={font} rel="preload" href={font} as="font" type="font/woff2" crossOrigin="anonymous" />
      ))}
      <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
      <link rel="icon" href="/favicon.ico" sizes="32x32" />
      <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
      {/* Pages show without scripts, so these must not delay style sheets and fonts. */}
      {modules.map((module) => (
        <link key={module} rel="modulepreload" fetchPriority="low" href={module} />
      ))}
      <script dangerouslySetInnerHTML={{ __html: zodWithoutEval + preferencesScript + earlyClickScript }} />
      {styles.map((style) => (
        <link key={style} rel="stylesheet" href={style} />
      ))}
    </>
  );
}

/** Data that the page hydrates with; escaped, so that no text ends the element. */
function Data({ json }: { json: string }) {
  const html = json.replaceAll('<', String.raw`\u003c`);
  return <script id={PAGE_DATA} type="application/json" dangerouslySetInnerHTML={{ __html: html }} />;
}
