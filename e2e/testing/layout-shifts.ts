import type { Page } from '@playwright/test';

/** Has the page add up how far it moves by itself. */
export function watchShifts(page: Page) {
  return page.addInitScript(() => {
    Object.assign(window, { shifts: 0 });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
        Object.assign(window, { shifts: Reflect.get(window, 'shifts') + entry.value });
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** The cumulative layout shift since the page was opened. */
export function shifts(page: Page): Promise<number> {
  return page.evaluate(() => Reflect.get(window, 'shifts') as number);
}

/** Until what the page shows now has been painted. */
export async function untilPainted(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))));
}
