import { expect, type Locator, type Page } from '@playwright/test';
import { chooseToday } from './choose-days.js';
import { test } from './product.js';
import { expectLoginBackTo, Faulty, faults, sessionEnded, type Fault } from './faults.js';
import { popupOf } from './view-checks.js';

const main = (page: Page) => page.getByRole('main');
const press = (within: Locator, name: string) => within.getByRole('button', { name, exact: true }).click();

interface Action {
  readonly what: string;
  readonly path: string;
  readonly method: 'GET' | 'POST' | 'PUT';
  /** End of the call's address. */
  readonly call: string;
  readonly prepare?: (page: Page) => Promise<void>;
  readonly act: (page: Page) => Promise<void>;
  /** Place of the error, if outside of the view and its popup. */
  readonly place?: (page: Page) => Locator;
  /** Words in place of the fault's own. */
  readonly words?: (fault: Fault) => string;
  /**
   * Path to which a sign-in leads back when the session ends: with a dialog that has an address.
   */
  readonly back?: string;
}

const typeMessage = async (page: Page) => {
  await page.getByLabel('To', { exact: true }).fill('+14155552671');
  await page.getByRole('textbox', { name: 'Message' }).fill('Hello');
};
const resendToday = async (page: Page) => {
  await press(main(page), 'Resend…');
  await popupOf(page).waitFor();
  await chooseToday(page);
};
/** The server reports a webhook as turned off, whatever its state. */
const showDisabled = async (page: Page) => {
  await page.route('**/api/dashboard/webhook', async (route) => {
    const response = await route.fetch();
    const disabled = { at: new Date(0).toISOString(), reason: 'failing' };
    await route.fulfill({ response, json: { ...((await response.json()) as object), disabled } });
  });
  await page.reload();
};

const actions: readonly Action[] = [
  {
    what: 'Home: the webhook URL',
    path: '/dashboard',
    method: 'PUT',
    call: '/webhook-url',
    act: (page) => press(main(page), 'Update'),
  },
  {
    what: 'Send SMS: a message',
    path: '/dashboard/send',
    method: 'POST',
    call: '/api/sendsms',
    prepare: typeMessage,
    act: (page) =>
      main(page)
        .getByRole('button', { name: /^Send (test|for)/ })
        .click(),
  },
  {
    what: 'Purchase Credits: a pack',
    path: '/dashboard/purchase',
    method: 'POST',
    call: '/api/checkout',
    act: async (page) => {
      if (await popupOf(page).isVisible()) await press(popupOf(page), 'Close');
      await press(main(page), 'Buy Pro');
    },
    words: ({ name, words }) => (name === 'a lost connection' ? 'Please try again or contact support.' : words),
  },
  {
    what: 'Redeem Code: a code',
    path: '/dashboard/redeem',
    method: 'POST',
    call: '/api/redeemcode',
    prepare: (page) => page.getByLabel('Code', { exact: true }).fill('ABCD'),
    act: (page) => press(main(page), 'Redeem'),
  },
  {
    what: 'Webhook: enabling',
    path: '/dashboard/webhook',
    method: 'POST',
    call: '/webhook/enable',
    prepare: showDisabled,
    act: (page) => press(main(page), 'Enable'),
  },
  {
    what: 'Webhook: the secret',
    path: '/dashboard/webhook?tab=settings',
    method: 'POST',
    call: '/secret/rotate',
    prepare: (page) => press(main(page), 'Rotate secret'),
    act: (page) => press(popupOf(page), 'Rotate secret'),
  },
  {
    what: 'Webhook: events',
    path: '/dashboard/webhook?tab=settings',
    method: 'PUT',
    call: '/webhook/events',
    prepare: (page) => press(main(page), 'Choose events'),
    act: (page) => press(main(page), 'Save events'),
  },
  {
    what: 'Webhook: a test',
    path: '/dashboard/webhook?tab=settings',
    method: 'POST',
    call: '/webhook/test',
    act: (page) => press(main(page), 'Send test'),
  },
  {
    what: 'Webhook: resending a day',
    path: '/dashboard/webhook',
    method: 'POST',
    call: '/webhook/replay',
    prepare: resendToday,
    act: (page) => press(popupOf(page), 'Resend'),
  },
  {
    what: 'Webhook: resending one',
    path: '/dashboard/webhook',
    method: 'POST',
    call: '/resend',
    prepare: (page) => press(main(page), 'message.received'),
    act: (page) => press(popupOf(page), 'Resend'),
  },
  {
    what: 'API Keys: another first one',
    path: '/dashboard/key',
    method: 'POST',
    call: '/key/rotate',
    prepare: (page) => press(main(page), 'Replace key…'),
    act: (page) => press(popupOf(page), 'Replace key'),
    back: '/dashboard/key?replace=24',
  },
  {
    what: 'API Keys: one with limits',
    path: '/dashboard/key?create=',
    method: 'POST',
    call: '/keys',
    prepare: async (page) => {
      await popupOf(page).getByLabel('Name').fill('Shop');
    },
    act: (page) => press(popupOf(page), 'Create key'),
  },
  {
    what: 'Connect: a product',
    path: '/dashboard/connect?connect=',
    method: 'POST',
    call: '/plugs',
    act: (page) => press(popupOf(page), 'Connect'),
  },
  {
    what: 'Account: notices',
    path: '/dashboard/account',
    method: 'PUT',
    call: '/notices',
    prepare: (page) => page.getByRole('checkbox', { name: 'A payment is disputed' }).click(),
    act: (page) => press(main(page), 'Save'),
  },
  {
    what: 'Account: export',
    path: '/dashboard/account',
    method: 'GET',
    call: '/export',
    act: (page) => press(main(page), 'Download my data'),
  },
  {
    what: 'Account: deletion',
    path: '/dashboard/account',
    method: 'POST',
    call: '/account/delete',
    prepare: (page) => press(main(page), 'Delete account…'),
    act: (page) => press(popupOf(page), 'Delete account'),
    back: '/dashboard/account?delete=',
  },
  {
    what: 'Logout',
    path: '/dashboard/key',
    method: 'POST',
    call: '/auth/logout',
    act: (page) => press(page.getByRole('complementary', { name: 'Menu' }), 'Logout'),
    place: (page) => page.locator('body'),
  },
];

/** The view and its popup. */
const view = (page: Page) => page.locator('main, [role=dialog], [role=alertdialog]');

interface Product {
  /** A signed-in page of an account whose webhook has had one delivery. */
  readonly pageOf: () => Page;
  readonly urlOf: () => string;
}

/** Tests every action of the dashboard under each fault. */
export function failingActionTests({ pageOf, urlOf }: Product): void {
  for (const { what, path, method, call, prepare, act, place = view, words, back = path } of actions)
    test(what, async () => {
      const page = pageOf();
      const faulty = await Faulty.on(page, (made) => made.method === method && made.url.endsWith(call));
      await page.goto(`${urlOf()}${path}`);
      await prepare?.(page);
      for (const fault of faults) {
        faulty.now = fault;
        await act(page);
        await expect(place(page).getByRole('alert')).toContainText(words?.(fault) ?? fault.words);
      }
      faulty.now = sessionEnded;
      await act(page);
      await expectLoginBackTo(page, back);
      await faulty.end();
      await page.unrouteAll({ behavior: 'wait' });
    });
}
