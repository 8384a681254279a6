import { expect, type Page } from '@playwright/test';
import { chooseToday, openFilters } from './choose-days.js';
import { test } from './product.js';
import { Complaints } from './complaints.js';
import { leave, signIn } from './signed-in.js';
import type { Stack } from './stack.js';
import { until } from '../../tools/testkit/until.js';
import { expectGoodView, popupOf } from './view-checks.js';
import { Visitor } from './visitor.js';
import { WebhookReceiver } from './webhook-receiver.js';

const SECRET = /^whsec_[\w+/]{32,}=*$/;

/** The webhook's view: settings, deliveries, and sending again. */
export function webhookViewTests(stackOf: () => Stack): void {
  let receiver: WebhookReceiver;

  test.beforeAll(async () => {
    receiver = await WebhookReceiver.start({ failures: 1, answerAfterMs: 0 });
  });

  test.afterAll(() => receiver?.stop());

  const close = (page: Page) => popupOf(page).getByRole('button', { name: 'Close' }).click();
  const secretOf = (page: Page) => page.getByRole('group', { name: 'Signing secret' }).locator('code');
  const setUrl = async (page: Page, webhookUrl: string) => {
    const answer = await Visitor.of(stackOf(), page.request).call('PUT', '/api/dashboard/webhook-url', { webhookUrl });
    expect(answer.status()).toBe(200);
  };

  test('without a URL it shows that nothing is received; one is set and tested in place', async ({ browser }) => {
    const { page } = await signIn(browser, stackOf(), { width: 390 });
    const complaints = new Complaints(page);
    await page.goto(`${stackOf().url}/dashboard/webhook`);
    await expect(
      page.getByText('Off: no URL is set, so replies are not received, except those to numbers of your own.'),
    ).toBeVisible();
    await expect(page.getByRole('button', { name: 'Send test' })).toBeDisabled();
    await page.getByRole('tab', { name: 'Deliveries' }).click();
    await expect(page.getByRole('button', { name: 'Resend…' })).toBeDisabled();
    await expect(page.getByText('No webhooks have been sent yet.')).toBeVisible();
    await expect(page.getByRole('searchbox')).toHaveCount(0);
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByLabel('Webhook URL to Receive SMS').fill(receiver.url);
    await page.getByRole('button', { name: 'Update' }).click();
    await expect(page.getByText('On: webhooks are sent here.')).toBeVisible();
    await page.getByRole('button', { name: 'Send test' }).click();
    await expect(popupOf(page)).toContainText('message.received');
    expect(complaints.take()).toEqual([]);
    await leave(page);
  });

  test('the secret is masked, shows when asked, and rotates once it is confirmed', async ({ browser }) => {
    const { page } = await signIn(browser, stackOf());
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`${stackOf().url}/dashboard/webhook`);
    await expect(secretOf(page)).toHaveText(/^whsec_•+.{4}$/);
    await page.getByRole('button', { name: 'Show Signing secret' }).click();
    await expect(secretOf(page)).toHaveText(SECRET);
    const before = await secretOf(page).innerText();
    await page.getByRole('button', { name: 'Copy Signing secret' }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(before);
    const rotate = page.getByRole('button', { name: 'Rotate secret' });
    await rotate.click();
    await expect(popupOf(page)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(popupOf(page)).toHaveCount(0);
    await expect(secretOf(page)).toHaveText(before);
    await rotate.click();
    await popupOf(page).getByRole('button', { name: 'Rotate secret' }).click();
    await expect(secretOf(page)).toHaveText(SECRET);
    await expect(secretOf(page)).not.toHaveText(before);
    await expect(page.getByText('The previous secret also signs until')).toBeVisible();
    await leave(page);
  });

  test('events are chosen, and what a low balance is leads to the alerts', async ({ browser }) => {
    const { page } = await signIn(browser, stackOf());
    await page.goto(`${stackOf().url}/dashboard/webhook`);
    const events = page.getByRole('region', { name: 'Events' });
    await expect(events).toContainText(/Messages1 of 9Codes0 of 5Credits0 of 2Numbers0 of 4/);
    await page.getByRole('button', { name: 'Choose events' }).click();
    await expect(page.getByLabel('message.received')).toBeDisabled();
    await page.getByLabel('credits.low').check();
    await page.getByLabel('message.failed').check();
    await page.getByRole('button', { name: 'Save events' }).click();
    await expect(page.getByRole('alert').filter({ hasText: 'Webhook events saved.' })).toBeVisible();
    await expect(events).toContainText(/Messages2 of 9Codes0 of 5Credits1 of 2/);
    await page.reload();
    await page.getByRole('button', { name: 'Choose events' }).click();
    await expect(page.getByLabel('credits.low')).toBeChecked();
    await expect(page.getByLabel('message.failed')).toBeChecked();
    await expect(page.getByLabel('message.sent')).not.toBeChecked();
    await expect(page.getByText('Credits are low below 10.')).toBeVisible();
    await page.getByRole('link', { name: 'Change it under Alerts' }).click();
    await page.getByLabel('Warn me below').fill('1,500');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByRole('alert').filter({ hasText: 'Your settings were saved.' })).toBeVisible();
    await page.goBack();
    await page.getByRole('button', { name: 'Choose events' }).click();
    await expect(page.getByText('Credits are low below 1,500.')).toBeVisible();
    await page.getByRole('button', { name: 'Save events' }).click();
    await expect(page.getByRole('alert').filter({ hasText: 'Webhook events saved.' })).toBeVisible();
    await page.reload();
    await page.getByRole('button', { name: 'Choose events' }).click();
    await expect(page.getByText('Credits are low below 1,500.')).toBeVisible();
    await leave(page);
  });

  test('a test event, its attempts, and sending again', async ({ browser }) => {
    const { page } = await signIn(browser, stackOf());
    await setUrl(page, receiver.url);
    await page.goto(`${stackOf().url}/dashboard/webhook?tab=settings`);
    await expect(page.getByLabel('Webhook URL to Receive SMS')).toHaveValue(receiver.url);
    const card = page.getByRole('region', { name: 'Test event' });
    await card.getByLabel('Event').selectOption('otp.verified');
    const refusal = { success: 'false', error: 'Too many webhooks at once.', code: 'webhook_actions', detail: '' };
    await page.route('**/api/dashboard/webhook/test', (route) =>
      route.fulfill({ status: 429, headers: { 'Retry-After': '30' }, json: refusal }),
    );
    await card.getByRole('button', { name: 'Send test' }).click();
    await expect(card.getByRole('alert')).toHaveText(
      'No test was sent. Too many webhooks at once. You can try again in 30 seconds.',
    );
    await page.unroute('**/api/dashboard/webhook/test');
    await card.getByRole('button', { name: 'Send test' }).click();
    // The receiver fails each webhook once, and a test is tried once.
    await expect(popupOf(page).getByText('HTTP 500', { exact: true })).toBeVisible();
    await expect(popupOf(page).getByRole('region', { name: 'Body' })).toContainText('"type": "otp.verified"');
    await expect(popupOf(page).getByText('Failed · HTTP 500')).toBeVisible();
    await popupOf(page).getByRole('button', { name: 'Resend' }).click();
    await expect(popupOf(page).getByText('HTTP 200', { exact: true })).toBeVisible();
    await expect(popupOf(page).getByText('Delivered')).toBeVisible();
    await close(page);

    await page.getByRole('tab', { name: 'Deliveries' }).click();
    const rows = page.getByRole('table', { name: 'Deliveries' }).getByRole('row');
    await expect(rows).toHaveCount(2);
    await expect(rows.nth(1)).toContainText(/otp\.verifiedTest–Delivered2/);
    await openFilters(page);
    await page.getByLabel('Status').selectOption('Failed');
    await expect(page.getByText('No webhooks match these filters.')).toBeVisible();
    await expect(page).toHaveURL(/status=failed$/);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expectGoodView(page);
    // A click anywhere on a row opens it, and Enter on what the keyboard reaches.
    await rows.nth(1).getByRole('cell').first().click();
    await expect(popupOf(page).getByText('HTTP 200', { exact: true })).toBeVisible();
    await close(page);
    await page.getByRole('button', { name: 'otp.verified' }).press('Enter');
    await expect(popupOf(page)).toBeVisible();
    await close(page);

    await leave(page);
  });

  test('the webhooks of a day are resent, and the list follows by itself', async ({ browser }) => {
    const stack = stackOf();
    const { page, email } = await signIn(browser, stack);
    await stack.admin('credits', 'adjust', email, '50', '--why', 'e2e');
    await setUrl(page, receiver.url);
    await page.goto(`${stack.url}/dashboard/webhook?tab=settings`);
    await page.getByRole('button', { name: 'Choose events' }).click();
    await page.getByLabel('message.sent').check();
    await page.getByRole('button', { name: 'Save events' }).click();
    await page.getByRole('tab', { name: 'Deliveries' }).click();
    const apikey = await Visitor.of(stack, page.request).apiKey();
    const rows = page.getByRole('table', { name: 'Deliveries' }).getByRole('row').filter({ hasText: 'message.sent' });
    // A subscription is known everywhere within two seconds: the first messages may come before.
    await until(
      'a webhook about a message is shown',
      async () => {
        await stack.api.send({ to: '+14155550100', message: 'told of', apikey });
        return (await rows.count()) > 0;
      },
      { timeoutMs: 60_000, everyMs: 700 },
    );
    await expect(rows.first()).toContainText(/Delivered2/, { timeout: 60_000 });

    await page.getByRole('button', { name: 'Resend…' }).click();
    const again = popupOf(page).getByRole('button', { name: 'Resend' });
    await expect(again).toBeDisabled();
    await chooseToday(page);
    await popupOf(page).getByLabel('Which').selectOption('All of them');
    await again.click();
    await expect(popupOf(page).getByText(/^\d+ webhooks? (is|are) being resent\.$/)).toBeVisible();
    await close(page);
    await expect(rows.first()).toContainText(/Delivered3/);
    await leave(page);
  });
}
