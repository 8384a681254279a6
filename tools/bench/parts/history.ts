import { chromium, type Page } from '@playwright/test';
import type { Bench } from '../bench.js';
import { insertSession, SESSION_COOKIE } from '../product/database.js';
import { withProduct, type Product } from '../product/product.js';
import { quantile } from '../report.js';

const messagesPerSecond = 50;
const settleBoundMs = 30_000;

/** Measured within the page. */
interface Noticed {
  readonly framesMs: readonly number[];
  readonly longTasksMs: readonly number[];
}

/** SMS History in a browser while messages are sent: whether it stays smooth and shows all of them at the end. */
export function measureHistory(bench: Bench): Promise<void> {
  return withProduct(bench, { accounts: 1 }, async (product) => {
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
  const { serverUrl: url } = prepared.place;
  const value = await insertSession(prepared.client);
  await page.context().addCookies([{ name: SESSION_COOKIE, value, url }]);
  // Accounts of a bench have no readable key.
  await page.route('**/api/dashboard/key', (route) => route.abort());
  await page.goto(`${url}/dashboard/messages`);
  await page.getByText('Live', { exact: true }).waitFor();
}

async function watch(bench: Bench, product: Product, page: Page): Promise<void> {
  const { report, options } = bench;
  await product.warmUp();
  await product.untilDelivered();
  const memoryBefore = await heapMb(page);
  await startNoticing(page);
  const load = await product.send({ seconds: options.seconds, perSecond: messagesPerSecond });
  const noticed = await page.evaluate(() => Reflect.get(window, 'noticed') as Noticed);
  await product.untilDelivered();

  const frames = noticed.framesMs;
  const tasks = noticed.longTasksMs;
  const longest = Math.round(Math.max(0, ...tasks));
  const busyMs = Math.round(tasks.reduce((sum, ms) => sum + ms, 0));
  report.figure(
    `frames while ${messagesPerSecond} messages a second arrive`,
    frames.length / options.seconds,
    'per second',
    {
      p50Ms: quantile(frames, 0.5),
      p99Ms: quantile(frames, 0.99),
      note: `sent ${Math.round(load.perSecond)}/s; ${tasks.length} tasks over 50 ms, ${busyMs} ms in all, the longest ${longest} ms`,
    },
  );
  report.figure('memory the page gains', (await heapMb(page)) - memoryBefore, 'MB');
  const { messages } = await product.totals();
  const count = `${messages.toLocaleString('en-US')} messages`;
  const shown = async () => (await page.getByText(count).count()) === 1 && (await deliveredRows(page)) === 10;
  await product.until('the page shows what was sent', shown, settleBoundMs, 100);
  report.check('the page counts every message and shows the newest as delivered', true, count);
}

/** Records frames and long tasks within the page from now on. */
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

/** Memory of the page after garbage collection. */
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
