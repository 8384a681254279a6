import { expect, type Browser, type Page } from '@playwright/test';
import { test } from './product.js';
import { Complaints } from './complaints.js';
import { leave, signIn } from './signed-in.js';
import type { Stack } from './stack.js';
import { expectGoodView } from './view-checks.js';
import { Visitor } from './visitor.js';

const FAILED = 'Your purchase could not be completed. Please try again.';
const BANK_THAT_PAYS = '000123456789';
const answer = (error: string, code: string) => ({ success: 'false', error, code, detail: '' });

/** Buying, and coming back from the checkout. */
export function purchaseViewTests(stackOf: () => Stack): void {
  const popup = (page: Page) => page.getByRole('dialog');
  const buy = (page: Page, pack: string) => page.getByRole('button', { name: `Buy ${pack}` }).click();
  const open = async (browser: Browser, width = 1280) => {
    const { page, email } = await signIn(browser, stackOf(), { width });
    return { page, email, buyer: Visitor.of(stackOf(), page.request) };
  };

  test('the packs and the regions that can be sent to', async ({ browser }) => {
    const { page } = await open(browser);
    const complaints = new Complaints(page);
    await page.goto(`${stackOf().url}/dashboard/purchase`);
    const packs = page.getByRole('list', { name: 'Packs' }).getByRole('listitem');
    for (const [name, price, credits] of [
      ['Starter', '$3', '50 credits'],
      ['Basic', '$10', '250 credits'],
      ['Pro', '$30', '1,000 credits'],
      ['Enterprise', '$50', '2,500 credits'],
    ] as const) {
      const pack = packs.filter({ has: page.getByRole('heading', { name, exact: true }) });
      await expect(pack.getByText(price, { exact: true })).toBeVisible();
      await expect(pack.getByText(credits, { exact: true })).toBeVisible();
    }
    const basic = packs.filter({ hasText: 'Recommended' });
    await expect(basic).toContainText('250 messages of one segment to USA, $0.04 each');
    const regions = page.getByRole('group', { name: 'Supported Regions' }).getByRole('radio');
    await expect(regions).toHaveCount(14);
    await page.getByRole('radio', { name: 'Germany 5 credits per SMS' }).check();
    await expect(basic).toContainText('50 messages of one segment to Germany, $0.20 each');
    // The arrow keys choose a region too.
    await page.keyboard.press('ArrowRight');
    await expect(basic).toContainText('50 messages of one segment to India, $0.20 each');
    // Copper is for the main action alone.
    const colors = await page
      .getByRole('button', { name: /^Buy / })
      .evaluateAll((buttons) => buttons.map((button) => getComputedStyle(button).backgroundColor));
    expect(colors.filter((color) => color === 'rgb(168, 72, 28)')).toHaveLength(1);
    await expect(packs.filter({ hasText: 'Recommended' }).getByRole('button')).toHaveCSS(
      'background-color',
      'rgb(168, 72, 28)',
    );
    // Packs, then countries, before everything else.
    const top = async (name: string) => (await page.getByText(name, { exact: true }).first().boundingBox())?.y ?? 0;
    expect(await top('Starter')).toBeLessThan(await top('Supported Regions'));
    expect(await top('Supported Regions')).toBeLessThan(await top('Automatic top-up'));
    await page.getByRole('main').getByRole('link', { name: 'Alerts' }).click();
    await expect(page.getByRole('heading', { name: 'Alerts' })).toBeInViewport();
    await page.goBack();
    await expect(packs.filter({ hasText: 'Custom' }).getByRole('link', { name: 'Contact sales' })).toHaveAttribute(
      'href',
      /^mailto:/,
    );
    await expect(page.getByText('your card is not stored by us')).toBeVisible();
    await expectGoodView(page);
    expect(complaints.take()).toEqual([]);
    await leave(page);
  });

  test('a purchase is announced once: not after a reload, not by going back, not in another tab', async ({
    browser,
  }) => {
    const { page, buyer } = await open(browser);
    await page.goto(`${stackOf().url}/dashboard/purchase`);
    await buy(page, 'Basic');
    const back = page.waitForRequest(/transaction=success/);
    await page.getByRole('button', { name: /^Pay / }).click();
    const address = (await back).url();
    await expect(popup(page)).toContainText('Your purchase of 250 credits was successful!');
    await expect(page).toHaveURL(`${stackOf().url}/dashboard`);
    await popup(page).getByRole('button', { name: 'Close' }).click();
    await expect(popup(page)).toHaveCount(0);
    expect(await buyer.balance()).toBe(253);

    await page.reload();
    await expectNothingTold(page);
    const other = await page.context().newPage();
    for (const tab of [page, other]) {
      await tab.goto(address);
      await expect(tab).toHaveURL(`${stackOf().url}/dashboard`);
      await expectNothingTold(tab);
    }
    await page.goto(`${stackOf().url}/dashboard/billing`);
    await page.goBack();
    await expectNothingTold(page);
    expect(await buyer.balance()).toBe(253);
    await leave(page);
  });

  test('a person who leaves the checkout sees that it was canceled, or failed, and the address is clean', async ({
    browser,
  }) => {
    const { page } = await open(browser);
    for (const [transaction, words] of [
      ['failed', FAILED],
      ['canceled', 'You were not charged.'],
    ] as const) {
      await page.goto(`${stackOf().url}/dashboard?transaction=${transaction}`);
      await expect(popup(page)).toContainText(words);
      await expect(page).toHaveURL(`${stackOf().url}/dashboard`);
      await popup(page).getByRole('button', { name: 'Close' }).press('Enter');
      await expect(popup(page)).toHaveCount(0);
    }
    await page.reload();
    await expectNothingTold(page);
    await leave(page);
  });

  test('a forged success shows the failure, and credits nothing', async ({ browser }) => {
    const { page, buyer } = await open(browser);
    const { buyer: stranger } = await open(browser);
    const { sessionId: foreign } = await stranger.checkout('pro');
    for (const forged of ['credits=2500', 'credits=2500&session_id=cs_test_none', `credits=50&session_id=${foreign}`]) {
      await page.goto(`${stackOf().url}/dashboard?transaction=success&${forged}`);
      await expect(popup(page)).toContainText(FAILED);
      await expect(page).toHaveURL(`${stackOf().url}/dashboard`);
      await popup(page).getByRole('button', { name: 'Close' }).click();
    }
    // An unpaid session of this account: there is nothing to show yet.
    const { sessionId } = await buyer.checkout('pro');
    await page.goto(`${stackOf().url}/dashboard?transaction=success&credits=9999&session_id=${sessionId}`);
    await expect(popup(page)).toContainText('Your payment has not arrived yet');
    await expect(popup(page)).toContainText('Your 1000 credits are added as soon as it does');
    expect(await buyer.balance()).toBe(3);
    await leave(page);
  });

  test('a bank that takes its time: it is said what will happen, also after a reload, and then that it has', async ({
    browser,
  }) => {
    const { page, buyer, email } = await open(browser);
    const { page: checkout } = await buyer.checkout('starter');
    const { url } = await buyer.pay(checkout, BANK_THAT_PAYS, email);
    await page.goto(url.href);
    await expect(popup(page)).toContainText('Your payment has not arrived yet');
    await page.reload();
    await expect(popup(page)).toContainText('Your payment has not arrived yet');
    await expect(popup(page)).toContainText('Your purchase of 50 credits was successful!');
    expect(await buyer.balance()).toBe(53);
    await leave(page);
  });

  for (const way of ['the server', 'the open page'] as const)
    test(`a return after the session has ended, noticed by ${way}, is announced when its owner has signed in again`, async ({
      browser,
    }) => {
      const { page, buyer, email } = await open(browser);
      const { page: checkout } = await buyer.checkout('basic');
      const { url } = await buyer.pay(checkout, '4242 4242 4242 4242', email);
      const noSession = { status: 401, json: answer('Please sign in.', 'not_signed_in') };
      // The page is delivered, and then no call finds the session.
      const calls = /\/(auth\/me|api\/checkout\/[^/]+)$/;
      if (way === 'the server') await page.context().clearCookies();
      else await page.route(calls, (route) => route.fulfill(noSession));
      await page.goto(url.href);
      if (way === 'the open page') {
        await page.context().clearCookies();
        await page.getByRole('link', { name: 'Login' }).click();
        await page.unroute(calls);
      }
      await expect(page).toHaveURL(/\/login\?next=/);
      // The person cancels, and then signs in after all.
      await page.getByRole('link', { name: 'Sign In with Google' }).click();
      await page.getByRole('button', { name: 'Cancel' }).click();
      await expect(page.getByRole('alert')).toHaveText(/^Sign-in error: /);
      await page.getByRole('link', { name: 'Sign In with Google' }).click();
      await page.getByRole('listitem').filter({ hasText: email }).getByRole('button').click();
      await expect(popup(page)).toContainText('Your purchase of 250 credits was successful!');
      await expect(page).toHaveURL(`${stackOf().url}/dashboard`);
      await leave(page);
    });

  test('a return that the server cannot answer is no failure: it can be asked again', async ({ browser }) => {
    const { page, buyer, email } = await open(browser);
    const { page: checkout } = await buyer.checkout('starter');
    const { url } = await buyer.pay(checkout, '4242 4242 4242 4242', email);
    await page.route('**/api/checkout/*', (route) =>
      route.fulfill({ status: 500, json: answer('Something went wrong. Please try again.', 'internal') }),
    );
    await page.goto(url.href);
    await expect(popup(page)).toContainText('The outcome of your purchase is not known yet.', { timeout: 60_000 });
    await page.unroute('**/api/checkout/*');
    await popup(page).getByRole('button', { name: 'Try again' }).click();
    await expect(popup(page)).toContainText('Your purchase of 50 credits was successful!');
    await leave(page);
  });

  test('a checkout that does not open says why in the specified words', async ({ browser }) => {
    const { page } = await open(browser);
    await page.goto(`${stackOf().url}/dashboard/purchase`);
    const told = page.getByRole('main').getByRole('alert');
    const checkout = '**/api/checkout';
    for (const [status, error, code, text] of [
      [503, 'Stripe failed to initialize. Please check your configuration.', 'stripe_not_configured', undefined],
      [502, 'Failed to create checkout session: Stripe is busy. Please try again.', 'checkout_failed', undefined],
      [500, 'Something went wrong.', 'internal', 'Failed to create checkout session: Something went wrong.'],
    ] as const) {
      await page.route(checkout, (route) => route.fulfill({ status, json: answer(error, code) }));
      await buy(page, 'Pro');
      await expect(told).toHaveText(text ?? error);
      await page.unroute(checkout);
    }
    await page.route(checkout, (route) =>
      route.fulfill({
        status: 429,
        headers: { 'Retry-After': '300' },
        json: answer('You have started many purchases in a short time.', 'too_many_checkouts'),
      }),
    );
    await buy(page, 'Pro');
    await expect(told).toHaveText('You have started many purchases in a short time. You can try again in 5 minutes.');
    await page.unroute(checkout);

    await page.route(checkout, (route) => route.fulfill({ json: { sessionId: 'cs_1', url: 'javascript:alert(1)' } }));
    await buy(page, 'Pro');
    await expect(page.getByRole('alert').filter({ hasText: 'Stripe checkout error: ' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Buy Pro' })).toBeEnabled();
    await page.unroute(checkout);

    await page.route(checkout, (route) => route.abort());
    await buy(page, 'Pro');
    await expect(popup(page)).toContainText(FAILED);
    await expect(popup(page).getByRole('alert')).toHaveText(
      /^An error occurred: .+[^.]\. Please try again or contact support\.$/,
    );
    await popup(page).getByRole('button', { name: 'Close' }).click();
    await expect(page.getByRole('button', { name: 'Buy Pro' })).toBeEnabled();
    await leave(page);
  });

  /** When the shell has its data, the return has been handled. */
  async function expectNothingTold(page: Page): Promise<void> {
    await page.getByText(/^Welcome, /).waitFor();
    await page.waitForLoadState('load');
    await expect(popup(page)).toHaveCount(0);
  }
}
