import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const NARROWEST = 320;

/** Of the view that is shown: axe finds nothing, light and dark, and nothing scrolls sideways on the narrowest phone. */
export async function expectGoodView(page: Page): Promise<void> {
  const size = page.viewportSize();
  for (const colorScheme of ['light', 'dark'] as const) {
    // Colours on their way are neither the old ones nor the new.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const { violations } = await new AxeBuilder({ page }).include('main').analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
  }
  await page.setViewportSize({ width: NARROWEST, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: null });
  if (size) await page.setViewportSize(size);
}
