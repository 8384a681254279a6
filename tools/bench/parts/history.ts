import { chromium, type Page } from '@playwright/test';
import type { Bench } from '../bench.js';
import { bodiesOf } from '../load/bodies.js';
import { applyLoad, warmUp } from '../load/load.js';
import { serverUrlOf } from '../processes/environment.js';
import { waitUntil } from '../processes/children.js';
import { withProduct, type Product } from '../product/product.js';
import { insertSession, SESSION_COOKIE } from '../product/session.js';

const part = 'history';
const messagesPerSecond = 50;
const settleBoundMs = 30_000;

/** What the page itself notices while it is watched. */
interface Noticed {
  readonly framesMs: readonly number[];
  readonly longTasksMs: readonly number[];
}

/** SMS History, open in a browser while messages are sent: whether it stays smooth, and in the end shows all of them. */
export function measureHistory(bench: Bench): Promise<void> {
  return withProduct(bench, { part, accounts: 1 }, async (product) => {
    await product.startServer();
    await product.startSandbox();
    await product.startWorker();
    const browser = await chromium.launch({
      executablePath: process.env.CHROME_PATH ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--enable-precise-memory-info'],
    });
    try {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
      await open(page, product);
      await watch(bench, product, page);
    } finally {
      await browser.close();
    }
  });
}

async function open(page: Page, { prepared }: Product): Promise<void> {
  const url = serverUrlOf(prepared.place);
  const value = await insertSession(prepared.client);
  await page.context().addCookies([{ name: SESSION_COOKIE, value, url }]);
  // Accounts of a bench have no readable key.
  await page.route('**/api/dashboard/key', (route) => route.abort());
  await page.goto(`${url}/dashboard/messages`);
  await page.getByText('Live', { exact: true }).waitFor();
}

async function watch(bench: Bench, product: Product, page: Page): Promise<void> {
  const { report, options, signal } = bench;
  const target = { url: product.sendUrl, bodies: bodiesOf(product.prepared.apiKeys) };
  await warmUp(bench, { ...target });
  await product.untilDelivered(part);
  const memoryBefore = await heapMb(page);
  await startNoticing(page);
  const load = await applyLoad(bench, { ...target, seconds: options.seconds, perSecond: messagesPerSecond });
  const noticed = await page.evaluate(() => Reflect.get(window, 'noticed') as Noticed);
  await product.untilDelivered(part);

  const frames = [...noticed.framesMs].sort((one, other) => one - other);
  const tasks = noticed.longTasksMs;
  const longest = Math.round(Math.max(0, ...tasks));
  const busyMs = Math.round(tasks.reduce((sum, ms) => sum + ms, 0));
  report.figure({
    part,
    name: `frames while ${messagesPerSecond} messages a second come`,
    value: frames.length / options.seconds,
    unit: 'per second',
    p50Ms: at(frames, 0.5),
    p99Ms: at(frames, 0.99),
    note: `sent ${Math.round(load.perSecond)}/s; ${tasks.length} tasks over 50 ms, ${busyMs} ms in all, the longest ${longest} ms`,
  });
  report.figure({ part, name: 'memory the page gains', value: (await heapMb(page)) - memoryBefore, unit: 'MB' });
  const { messages } = await product.books();
  const count = `${messages.toLocaleString('en-US')} messages`;
  const shown = async () => (await page.getByText(count).count()) === 1 && (await deliveredRows(page)) === 10;
  await waitUntil(shown, { what: 'The page showing what was sent', timeoutMs: settleBoundMs, signal });
  report.check(part, 'the page counts every message and shows the newest as delivered', { isSo: true, seen: count });
}

/** Counts frames and long tasks within the page, from now on. */
function startNoticing(page: Page): Promise<void> {
  return page.evaluate(() => {
    const framesMs: number[] = [];
    const longTasksMs: number[] = [];
    Object.assign(window, { noticed: { framesMs, longTasksMs } });
    new PerformanceObserver((list) => longTasksMs.push(...list.getEntries().map(({ duration }) => duration))).observe({
      type: 'longtask',
    });
    let last = performance.now();
    const frame = (now: number): void => {
      framesMs.push(now - last);
      last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
}

/** After its garbage is collected. */
async function heapMb(page: Page): Promise<number> {
  await page.requestGC();
  const bytes = await page.evaluate(() => {
    const memory = Reflect.get(performance, 'memory') as { usedJSHeapSize: number };
    return memory.usedJSHeapSize;
  });
  return bytes / 1_000_000;
}

function deliveredRows(page: Page): Promise<number> {
  return page.getByRole('row').filter({ hasText: 'Delivered' }).count();
}

function at(ordered: readonly number[], share: number): number {
  return ordered[Math.min(ordered.length - 1, Math.floor(ordered.length * share))] ?? NaN;
}
