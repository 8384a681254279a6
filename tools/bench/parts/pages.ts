import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench } from '../bench.js';
import { serverUrlOf } from '../processes/environment.js';
import { withProduct, type Product } from '../product/product.js';
import { signIn } from '../product/sign-in.js';
import { medianOf, readLighthouse, type Visit } from './lighthouse.js';

const part = 'pages';
const visitsPerPage = 3;
/** Lighthouse now and then misses the beginning of a load and says "Please run Lighthouse again" (NO_NAVSTART). */
const triesPerVisit = 3;
const scriptsKbMax = 120;
const dashboardScriptsKbMax = 250;

// Children are started from dist.
const lighthouse = '../node_modules/lighthouse/cli/index.js';

/** Every public page as Lighthouse sees it on a phone, and the JavaScript that it and the dashboard load, compressed by gzip. */
export function measurePages(bench: Bench): Promise<void> {
  return withProduct(bench, { part, accounts: 1 }, async (product) => {
    await product.startServer();
    const url = serverUrlOf(product.prepared.place);
    for (const path of await publicPaths(url)) {
      const visits: Visit[] = [];
      for (let visit = 0; visit < visitsPerPage; visit += 1) visits.push(await visitOf(bench, `${url}${path}`));
      tell(bench, path, medianOf(visits), await scriptsKb(visits[0]?.scriptUrls ?? []));
    }
    await measureDashboard(bench, product);
  });
}

/** The dashboard's page: its size counts; Lighthouse scores are for public pages. */
async function measureDashboard(bench: Bench, product: Product): Promise<void> {
  await product.startSandbox();
  const path = '/dashboard';
  const { scriptUrls } = await visitOf(bench, `${serverUrlOf(product.prepared.place)}${path}`, await signIn(product));
  const value = await scriptsKb(scriptUrls);
  const note = `first load, ${scriptUrls.length} files`;
  bench.report.figure({
    part,
    name: `${path} JavaScript`,
    value,
    unit: 'kB',
    goal: { below: dashboardScriptsKbMax },
    note,
  });
}

function tell({ report }: Bench, path: string, visit: Visit, kb: number): void {
  const { performance, accessibility, bestPractices, seo } = visit.scores;
  const note = `largest paint ${Math.round(visit.largestPaintMs)} ms, blocked ${Math.round(visit.blockedMs)} ms, shift ${visit.layoutShift}`;
  report.figure({ part, name: `${path} performance`, value: performance, unit: 'points', goal: { atLeast: 95 }, note });
  report.figure({ part, name: `${path} JavaScript`, value: kb, unit: 'kB', goal: { below: scriptsKbMax } });
  report.check(part, `${path}: accessibility 100, best practices 95, SEO 100`, {
    isSo: accessibility === 100 && bestPractices >= 95 && seo === 100,
    seen: `${accessibility}, ${bestPractices}, ${seo}`,
  });
}

async function visitOf(bench: Bench, url: string, cookie?: string): Promise<Visit> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await tryVisit(bench, url, cookie);
    } catch (error) {
      if (attempt === triesPerVisit) throw error;
      bench.report.progress(`pages: ${url} again: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

/** One visit by Lighthouse with its usual phone on its usual slow network. It finds Chromium by itself, or by CHROME_PATH. */
async function tryVisit({ children }: Bench, url: string, cookie?: string): Promise<Visit> {
  const folder = mkdtempSync(join(tmpdir(), 'pennytext-lighthouse-'));
  try {
    const output = join(folder, 'report.json');
    const { PATH = '', HOME = '', CHROME_PATH } = process.env;
    await children.run({
      name: 'lighthouse',
      file: lighthouse,
      env: { PATH, HOME, ...(CHROME_PATH && { CHROME_PATH }) },
      args: [
        url,
        '--quiet',
        '--output=json',
        `--output-path=${output}`,
        '--only-categories=performance,accessibility,best-practices,seo',
        '--chrome-flags=--headless=new --no-sandbox',
        ...(cookie === undefined ? [] : [`--extra-headers=${JSON.stringify({ Cookie: cookie })}`]),
      ],
    });
    return readLighthouse(readFileSync(output, 'utf8'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** As the site itself tells search engines. */
async function publicPaths(url: string): Promise<string[]> {
  const sitemap = await (await fetch(`${url}/sitemap.xml`)).text();
  return [...sitemap.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, loc = '']) => new URL(loc).pathname);
}

async function scriptsKb(urls: readonly string[]): Promise<number> {
  let bytes = 0;
  for (const url of urls) {
    const answer = await fetch(url, { headers: { 'Accept-Encoding': 'gzip' } });
    await answer.arrayBuffer();
    bytes += Number(answer.headers.get('content-length'));
  }
  return bytes / 1_000;
}
