import type { Page } from '@playwright/test';

const WIDTHS = [390, 768, 1440] as const;
const COLOR_SCHEMES = ['light', 'dark'] as const;
const HEIGHT = 844;

/** Git ignores the folder, and each run of the tests empties it. */
const FOLDER = 'e2e/results/screens';

/**
 * Pictures of the page as it stands, to be looked at: `{name}-{width}-{scheme}.png` at a phone's, a
 * tablet's and a desk's width, light and dark, from top to bottom. Only with SCREENSHOTS=1, as they
 * take time. Afterwards the page is as before.
 */
export async function takeScreenshots(page: Page, name: string): Promise<void> {
  if (process.env.SCREENSHOTS !== '1') return;
  const size = page.viewportSize();
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT });
    for (const colorScheme of COLOR_SCHEMES) {
      await page.emulateMedia({ colorScheme });
      const path = `${FOLDER}/${name}-${width}-${colorScheme}.png`;
      await page.screenshot({ path, fullPage: true, animations: 'disabled' });
    }
  }
  await page.emulateMedia({ colorScheme: isDark ? 'dark' : 'light' });
  if (size) await page.setViewportSize(size);
}
