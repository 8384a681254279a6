import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const NARROWEST = 320;
/** The rules of axe whose result depends on colors. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

interface Checked {
  /** A CSS selector; without it, the whole page. */
  readonly within?: string;
  /** `colors` suffices when the same elements have passed all rules in the other color scheme. */
  readonly rules?: 'all' | 'colors';
}

/** axe finds no violation on the page as it stands. */
export async function expectAccessible(page: Page, { within, rules = 'all' }: Checked = {}): Promise<void> {
  // Legacy mode is for pages without frames, as ours are: the other opens a second page for each analysis.
  let axe = new AxeBuilder({ page }).setLegacyMode().options({
    resultTypes: ['violations'],
    ...(rules === 'colors' && { runOnly: { type: 'rule', values: COLOR_RULES } }),
  });
  if (within !== undefined) axe = axe.include(within);
  const { violations } = await axe.analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
}

/** axe finds nothing in light and in dark. Afterwards the scheme is light. */
export async function expectAccessibleInBothSchemes(page: Page, within: string): Promise<void> {
  for (const [colorScheme, rules] of [
    ['light', 'all'],
    ['dark', 'colors'],
  ] as const) {
    // Colors in transition are neither the old ones nor the new.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expectAccessible(page, { within, rules });
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: null });
}

/** Of the view that is shown: axe finds nothing, light and dark, and nothing scrolls sideways on the narrowest phone. */
export async function expectGoodView(page: Page): Promise<void> {
  const size = page.viewportSize();
  await expectAccessibleInBothSchemes(page, 'main');
  await page.setViewportSize({ width: NARROWEST, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
  if (size) await page.setViewportSize(size);
}
