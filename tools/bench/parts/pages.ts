import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Bench } from '../bench.js';
import { insertSession } from '../product/database.js';
import { withProduct, type Product } from '../product/product.js';
import type { Goal } from '../figure.js';

const visitsPerPage = 3;
/** Lighthouse sometimes misses the beginning of a load and fails with NO_NAVSTART. */
const triesPerVisit = 3;
const performanceMin = 98;
const scriptsKbMax = 110;
const dashboardScriptsKbMax = 200;
const interactiveMsMax = 1_500;
/** Lighthouse rounds to thousandths at best: a smaller shift counts as none. */
const layoutShiftMax = 0.001;
/** Pages below these addresses are made from one template: one page stands for all. */
const templates = [
  { below: '/docs/api/', shown: '/docs/api/send-sms' },
  { below: '/docs/send-sms/', shown: '/docs/send-sms/java' },
];

// A package of its own: Lighthouse brings a fifth of all files that are installed.
const lighthouseFolder = fileURLToPath(new URL('../../../../tools/bench/lighthouse', import.meta.url));
const lighthouse = join(lighthouseFolder, 'node_modules/lighthouse/cli/index.js');

/**
 * Every public page as Lighthouse sees it on a phone, the dashboard, and the JavaScript that they
 * load, compressed by gzip.
 */
export async function measurePages(bench: Bench): Promise<void> {
  // The user's settings of npm apply, such as a proxy.
  const env = Object.fromEntries(Object.entries(process.env).map(([name, value = '']) => [name, value]));
  const args = ['ci', '--no-audit', '--no-fund', '--prefix', lighthouseFolder];
  await bench.children.run({ name: 'npm', command: 'npm', args, env });
  await withProduct(bench, { accounts: 1 }, async (product) => {
    // The worker measures the figures of /status and /quality.
    await Promise.all([product.startServer(), product.startWorker()]);
    const { url } = product;
    const pages: Page[] = [];
    for (const path of await publicPaths(url)) {
      const visits: Visit[] = [];
      for (let visit = 0; visit < visitsPerPage; visit += 1) visits.push(await visitOf(bench, `${url}${path}`));
      const page = { path, visit: medianOf(visits) };
      pages.push(page);
      reportPage(bench, page, await scriptsKb(visits[0]?.scriptUrls ?? []));
    }
    reportWorst(bench, pages);
    await measureDashboard(bench, product);
  });
}

/**
 * A phone in a good network, with a processor four times slower than this machine's: people in a
 * dashboard have such phones.
 */
const fastPhone = ['--throttling.rttMs=60', '--throttling.throughputKbps=9000', '--throttling.cpuSlowdownMultiplier=4'];

/** The dashboard needs a sign-in, so of its scores only size, time and stability count. */
async function measureDashboard(bench: Bench, product: Product): Promise<void> {
  const path = '/dashboard';
  const { header } = await insertSession(product.prepared.client);
  const url = `${product.url}${path}`;
  await replaceKey(product.url, header);
  const visits: Visit[] = [];
  for (let visit = 0; visit < visitsPerPage; visit += 1)
    visits.push(await visitOf(bench, url, [`--extra-headers=${JSON.stringify({ Cookie: header })}`, ...fastPhone]));
  const { interactiveMs, layoutShift } = medianOf(visits);
  const scripts = await scriptsOf(url, header);
  const value = await scriptsKb(scripts);
  const note = `first load, ${scripts.length} files`;
  bench.report.figure(`${path} JavaScript`, value, 'kB', { goal: { below: dashboardScriptsKbMax }, note });
  bench.report.figure(`${path} interactive`, interactiveMs, 'ms', {
    goal: { below: interactiveMsMax },
    note: `9 Mbit/s, 60 ms round trip, processor slowed down by 4, shift ${layoutShift}`,
  });
}

/** The accounts of the bench have no key that could be shown. */
async function replaceKey(url: string, cookie: string): Promise<void> {
  const answer = await fetch(`${url}/api/dashboard/key/rotate`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ keepOldForHours: 0 }),
  });
  if (!answer.ok) throw new Error(`The key was not replaced: ${answer.status} ${await answer.text()}`);
}

/**
 * The scripts that a page needs before it is shown, without the code of other views, which is
 * loaded later.
 */
async function scriptsOf(url: string, cookie: string): Promise<string[]> {
  const html = await (await fetch(url, { headers: { cookie } })).text();
  return [...new Set(html.match(/\/assets\/[\w-]+\.js/g))].map((path) => new URL(path, url).href);
}

function reportPage({ report }: Bench, { path, visit }: Page, kb: number): void {
  const note = `largest paint ${Math.round(visit.largestPaintMs)} ms, blocked ${Math.round(visit.blockedMs)} ms`;
  report.figure(`${path} performance`, visit.scores.performance, 'points', { goal: { atLeast: performanceMin }, note });
  report.figure(`${path} JavaScript`, kb, 'kB', { goal: { below: scriptsKbMax } });
}

/** Goals of all pages: the page that is furthest from a goal stands for all. */
function reportWorst({ report }: Bench, pages: readonly Page[]): void {
  const worst = (what: string, unit: 'points' | 'score', goal: Goal, badness: (visit: Visit) => number) => {
    const [page] = pages.toSorted((one, other) => badness(other.visit) - badness(one.visit));
    if (page) report.figure(what, Math.abs(badness(page.visit)), unit, { goal, note: page.path });
  };
  worst('lowest accessibility', 'points', { atLeast: 100 }, ({ scores }) => -scores.accessibility);
  worst('lowest best practices', 'points', { atLeast: 95 }, ({ scores }) => -scores.bestPractices);
  worst('lowest SEO', 'points', { atLeast: 100 }, ({ scores }) => -scores.seo);
  worst('largest layout shift', 'score', { below: layoutShiftMax }, ({ layoutShift }) => layoutShift);
}

async function visitOf(bench: Bench, url: string, options: readonly string[] = []): Promise<Visit> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await tryVisit(bench, url, options);
    } catch (error) {
      if (attempt === triesPerVisit) throw error;
      bench.report.progress(`pages: visit ${url} again: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

/**
 * One visit by Lighthouse, by default with its phone and slow network. It finds Chromium by itself,
 * or by CHROME_PATH.
 */
async function tryVisit({ children }: Bench, url: string, options: readonly string[]): Promise<Visit> {
  const folder = mkdtempSync(join(tmpdir(), 'pennytext-lighthouse-'));
  try {
    const output = join(folder, 'report.json');
    const { CHROME_PATH } = process.env;
    await children.run({
      name: 'lighthouse',
      file: lighthouse,
      ...(CHROME_PATH && { env: { CHROME_PATH } }),
      args: [
        url,
        '--quiet',
        '--output=json',
        `--output-path=${output}`,
        '--only-categories=performance,accessibility,best-practices,seo',
        '--chrome-flags=--headless=new --no-sandbox',
        ...options,
      ],
    });
    return readLighthouse(readFileSync(output, 'utf8'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The pages in the site map, one of each template. */
async function publicPaths(url: string): Promise<string[]> {
  const sitemap = await (await fetch(`${url}/sitemap.xml`)).text();
  const paths = [...sitemap.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, loc = '']) => new URL(loc).pathname);
  return paths.filter((path) => templates.every(({ below, shown }) => !path.startsWith(below) || path === shown));
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

interface Page {
  readonly path: string;
  /** Medians of all visits. */
  readonly visit: Visit;
}

/** Results of one visit by Lighthouse. Scores are 0 to 100. */
interface Visit {
  readonly scores: Readonly<Record<'performance' | 'accessibility' | 'bestPractices' | 'seo', number>>;
  readonly largestPaintMs: number;
  readonly blockedMs: number;
  readonly layoutShift: number;
  readonly interactiveMs: number;
  readonly scriptUrls: readonly string[];
}

/**
 * The part of Lighthouse's JSON that is read
 * (https://github.com/GoogleChrome/lighthouse/blob/main/docs/understanding-results.md).
 */
interface LighthouseResult {
  readonly categories: Readonly<
    Record<'performance' | 'accessibility' | 'best-practices' | 'seo', { score: number | null }>
  >;
  readonly audits: Readonly<
    Record<string, { numericValue?: number; details?: { items?: { url: string; resourceType?: string }[] } }>
  >;
}

export function readLighthouse(json: string): Visit {
  const { categories, audits } = JSON.parse(json) as LighthouseResult;
  const score = (name: keyof typeof categories) => Math.round((categories[name].score ?? 0) * 100);
  const value = (name: string) => audits[name]?.numericValue ?? NaN;
  const requests = audits['network-requests']?.details?.items ?? [];
  return {
    scores: {
      performance: score('performance'),
      accessibility: score('accessibility'),
      bestPractices: score('best-practices'),
      seo: score('seo'),
    },
    largestPaintMs: value('largest-contentful-paint'),
    blockedMs: value('total-blocking-time'),
    layoutShift: Math.round(value('cumulative-layout-shift') * 1_000) / 1_000,
    interactiveMs: value('interactive'),
    scriptUrls: requests.filter(({ resourceType }) => resourceType === 'Script').map(({ url }) => url),
  };
}

/**
 * The visit whose performance is in the middle, with the lowest of the scores that do not depend on
 * the machine.
 */
export function medianOf(visits: readonly Visit[]): Visit {
  const ordered = [...visits].sort((one, other) => one.scores.performance - other.scores.performance);
  const middle = ordered[Math.floor(ordered.length / 2)];
  if (!middle) throw new Error('There is no middle of no visits');
  const lowest = (name: keyof Visit['scores']) => Math.min(...visits.map(({ scores }) => scores[name]));
  const [accessibility, bestPractices, seo] = [lowest('accessibility'), lowest('bestPractices'), lowest('seo')];
  return { ...middle, scores: { performance: middle.scores.performance, accessibility, bestPractices, seo } };
}
