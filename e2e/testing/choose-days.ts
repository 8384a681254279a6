import { expect, type Page } from '@playwright/test';

/** Shows the fields of a view's filters, which stand behind a button. */
export async function openFilters(page: Page): Promise<void> {
  const button = page.getByRole('main').getByRole('button', { name: 'Filter', exact: true });
  if ((await button.getAttribute('aria-expanded')) !== 'true') await button.click();
}

/** Opens the choice of days, among the filters of a view or in a popup. */
async function openDays(page: Page): Promise<void> {
  const days = page.getByRole('button', { name: /^Days: / });
  const filter = page.getByRole('main').getByRole('button', { name: 'Filter', exact: true });
  await expect(days.or(filter).first()).toBeVisible();
  if (!(await days.isVisible())) await openFilters(page);
  await days.click();
}

/** Chooses days by their dates; '' leaves an end open. */
export async function chooseDays(page: Page, from: string, to: string): Promise<void> {
  await openDays(page);
  await page.getByLabel('First day').fill(from);
  await page.getByLabel('Last day').fill(to);
  await page.getByRole('button', { name: 'Show these days' }).click();
}

export async function chooseToday(page: Page): Promise<void> {
  await openDays(page);
  await page.getByRole('button', { name: 'Today', exact: true }).click();
}
