import { expect, type Locator, type Page } from '@playwright/test';
import axe from 'axe-core';
import { takeScreenshots } from './screenshots.js';

const NARROWEST = 320;
const PHONE = 390;
const DESK = 1440;
const HEIGHT = 844;
/** The rules of axe whose result depends on colors. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/** The popup that is open: a dialog, a question or a drawer. */
export const popupOf = (page: Page): Locator => page.locator('[role=dialog], [role=alertdialog]');

interface Checked {
  /** A CSS selector; without it, the whole page. */
  readonly within?: string;
  /** `colors` suffices when the same elements have passed all rules in the other color scheme. */
  readonly rules?: 'all' | 'colors';
}

/** axe finds no violation on the page as it stands, which has no frames. */
export async function expectAccessible(page: Page, { within, rules = 'all' }: Checked = {}): Promise<void> {
  // Old figures are dimmed until the new ones arrive.
  await expect(page.locator('main [data-old]')).toHaveCount(0);
  // A document loads axe once: loading takes as long as an analysis.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const options: axe.RunOptions = {
    resultTypes: ['violations'],
    ...(rules === 'colors' && { runOnly: { type: 'rule', values: COLOR_RULES } }),
  };
  const violations = await page.evaluate(
    async ([context, how]) => {
      const { run } = Reflect.get(window, 'axe') as typeof axe;
      const found = await run(context === undefined ? document : { include: [[context]] }, how);
      return found.violations.map(({ id, nodes }) => [id, nodes[0]?.html]);
    },
    [within, options] as const,
  );
  expect(violations).toEqual([]);
}

/**
 * axe finds nothing in light at a desk's width and in dark at a phone's. Afterwards scheme and size
 * are as before.
 */
export async function expectAccessibleInBothSchemes(
  page: Page,
  within: string,
  [light, dark]: readonly [number, number] = [DESK, PHONE],
): Promise<void> {
  const size = page.viewportSize();
  for (const [colorScheme, width] of [
    ['light', light],
    ['dark', dark],
  ] as const) {
    // Colors in transition are neither the old ones nor the new.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: HEIGHT });
    await expectAccessible(page, { within });
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: null });
  if (size) await page.setViewportSize(size);
}

/**
 * Checks the view that is shown: axe finds nothing, and nothing scrolls sideways on the narrowest
 * phone.
 */
export async function expectGoodView(page: Page): Promise<void> {
  const size = page.viewportSize();
  await expectAccessibleInBothSchemes(page, 'main');
  await page.setViewportSize({ width: NARROWEST, height: HEIGHT });
  expect(await overflow(page)).toBe(0);
  if (size) await page.setViewportSize(size);
}

/** Pixels by which the page is wider than its window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
}

/** Nothing is cut off in the view, and axe finds nothing in it. */
export async function expectWhole(page: Page, name: string): Promise<void> {
  // A transition has colors of its own.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await takeScreenshots(page, name);
  expect(await overflow(page)).toBe(0);
  await expectAccessible(page, { within: 'main' });
  await page.emulateMedia({ reducedMotion: null });
}
