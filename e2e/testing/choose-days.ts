import type { Page } from '@playwright/test';

/** Chooses days by their dates; '' leaves an end open. */
export async function chooseDays(page: Page, from: string, to: string): Promise<void> {
  await page.getByRole('button', { name: /^Days: / }).click();
  await page.getByLabel('First day').fill(from);
  await page.getByLabel('Last day').fill(to);
  await page.getByRole('button', { name: 'Show these days' }).click();
}

export async function chooseToday(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Days: / }).click();
  await page.getByRole('button', { name: 'Today', exact: true }).click();
}
