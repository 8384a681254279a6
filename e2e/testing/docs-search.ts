import { expect, type Locator, type Page } from '@playwright/test';

export const searchField = (page: Page): Locator => page.getByRole('combobox', { name: 'Search the docs' });

/** Opens the search of the documentation by its key, which works once the page's script runs. */
export async function pressForSearch(page: Page): Promise<void> {
  await expect(async () => {
    if ((await searchField(page).count()) === 0) await page.keyboard.press('/');
    await expect(searchField(page)).toBeFocused({ timeout: 3_000 });
  }).toPass({ timeout: 60_000 });
}
