import type { Page } from '@playwright/test';

/** Waits until the browser has taken a built page over, fonts and all. */
export async function untilWhole(page: Page): Promise<void> {
  await page.waitForFunction(async () => {
    await document.fonts.ready;
    // React keeps its state of the document there.
    const key = Object.keys(document).find((name) => name.startsWith('__reactContainer'));
    const root = key && (Reflect.get(document, key) as { stateNode: { current: { memoizedState: object } } });
    return root && Reflect.get(root.stateNode.current.memoizedState, 'isDehydrated') === false;
  });
}
