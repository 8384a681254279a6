import type { Page } from '@playwright/test';

type Shift = PerformanceEntry & {
  value: number;
  sources: { node?: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
};

/** Has the page record its layout shifts, and the nodes that moved. */
export function watchShifts(page: Page) {
  return page.addInitScript(() => {
    const moved: string[] = [];
    let sum = 0;
    new PerformanceObserver((list) => {
      for (const { value, sources, startTime } of list.getEntries() as Shift[]) {
        sum += value;
        for (const { node, previousRect: before, currentRect: after } of sources)
          moved.push(
            `${startTime.toFixed()} ms: ${node?.nodeName} ${node?.textContent?.slice(0, 40)} ` +
              `${[before.x, before.y, before.width, before.height].join()} -> ` +
              [after.x, after.y, after.width, after.height].join(),
          );
      }
      Object.assign(window, { shifts: sum, moved });
    }).observe({ type: 'layout-shift', buffered: true });
    Object.assign(window, { shifts: sum, moved });
  });
}

/** The cumulative layout shift since the page was opened. */
export function shifts(page: Page): Promise<number> {
  return page.evaluate(() => Reflect.get(window, 'shifts') as number);
}

/** Moves since the page was opened: when, which node, from where and to where. */
export function whatMoved(page: Page): Promise<string[]> {
  return page.evaluate(() => Reflect.get(window, 'moved') as string[]);
}

/** Waits until the current content of the page has been painted. */
export async function untilPainted(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))));
}
