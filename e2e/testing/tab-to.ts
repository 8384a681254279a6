import { expect, type Locator, type Page } from '@playwright/test';

/** More stops than any page has before the controls of this walk. */
const STOPS_MAX = 90;

/** Presses Tab until the control has focus. */
export async function tabTo(page: Page, control: Locator): Promise<void> {
  await expect(control).toBeVisible();
  for (let stop = 0; stop < STOPS_MAX; stop += 1) {
    if (await control.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Not reached with ${STOPS_MAX} Tab presses: ${String(control)}`);
}
