import { createHmac, randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { Webhook } from 'standardwebhooks';
import { test } from '../testing/product.js';
import { runSample, writeSample } from '../testing/samples.js';
import { takeScreenshots } from '../testing/screenshots.js';
import { leave, signIn } from '../testing/signed-in.js';
import type { Stack } from '../testing/stack.js';
import { expectGoodView, popupOf } from '../testing/view-checks.js';

const NAME = 'Login of the Featherstonehaugh-Montgomery family';
const PHONE = '+14155557301';

let stack: Stack;

test.beforeAll(({ product }) => {
  stack = product;
});

const rowsOf = (page: Page) => page.getByRole('list', { name: 'Connected products' }).getByRole('listitem');
const shownIn = (page: Page, group: string) => page.getByRole('group', { name: group }).locator('code');

/** Chooses an action of a plug from its menu. */
async function choose(page: Page, action: string): Promise<void> {
  await rowsOf(page)
    .getByRole('button', { name: /^Actions for/ })
    .click();
  await page.getByRole('menuitem', { name: action }).click();
}

/** Posts a body as JSON and returns the status and the answer. */
async function post(address: string, body: string, headers: Record<string, string>): Promise<[number, unknown]> {
  const answer = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  return [answer.status, await answer.json()];
}

/** Makes the call of Supabase's Send SMS hook. */
function callAsSupabase(address: string, secret: string, otp: string): Promise<[number, unknown]> {
  const body = JSON.stringify({ user: { phone: PHONE.slice(1) }, sms: { otp } });
  const [id, at] = [randomUUID(), new Date()];
  return post(address, body, {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret.replace(/^v1,/, '')).sign(id, at, body),
  });
}

test('a person connects Supabase, sees its first call arrive, changes the secret and disconnects', async ({
  browser,
}) => {
  const { page } = await signIn(browser, stack);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'Connect' }).click();
  await expect(page.getByText('A plug is an address with a secret of its own')).toBeVisible();
  await takeScreenshots(page, 'connect-empty');
  await expectGoodView(page);

  await page.getByRole('button', { name: 'Connect a product' }).click();
  const popup = popupOf(page);
  const connect = popup.getByRole('button', { name: 'Connect', exact: true });
  const name = popup.getByLabel('Name', { exact: true });
  await expect(name).toHaveValue('Supabase');
  await popup.getByLabel('Product').selectOption('Logto');
  await expect(name).toHaveValue('Logto');
  await popup.getByLabel('Product').selectOption('Supabase');
  await name.clear();
  await connect.click();
  await expect(name).toHaveAccessibleDescription('Enter a name.');
  await name.pressSequentially(NAME);
  await popup.getByLabel('Your organization’s name').pressSequentially('Acme');
  await popup.getByLabel('Secret that Supabase has generated').fill('whsec_abc');
  await connect.click();
  await expect(popup.getByLabel('Secret that Supabase has generated')).toHaveAccessibleDescription(
    /begins with "v1,whsec_"/,
  );
  await takeScreenshots(page, 'connect-dialog');
  await popup.getByLabel('Secret that Supabase has generated').clear();
  await connect.click();

  const address = (await shownIn(page, 'Address').textContent()) ?? '';
  const secret = (await shownIn(page, 'New secret').textContent()) ?? '';
  expect(address).toMatch(/^http.*\/hooks\/supabase\/PL[0-9a-f]{32}$/);
  expect(secret).toMatch(/^v1,whsec_/);
  await page.getByRole('button', { name: 'Copy new secret' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
  await expect(page.getByRole('link', { name: 'Where to enter them: Supabase' })).toHaveAttribute(
    'href',
    '/docs/connect/supabase',
  );
  await expect(rowsOf(page)).toContainText('Waiting for the first call.');
  await takeScreenshots(page, 'connect-created');
  await expectGoodView(page);

  expect(await callAsSupabase(address, secret, '561166')).toEqual([200, {}]);
  await expect(rowsOf(page)).toContainText(/Last call .*: sent/);
  // A reload would have hidden the secret.
  await expect(shownIn(page, 'New secret')).toHaveText(secret);
  await page.getByRole('button', { name: 'Hide' }).click();
  await expect(page.getByText(secret)).toBeHidden();
  const wrong = `v1,whsec_${Buffer.alloc(32).toString('base64')}`;
  expect(await callAsSupabase(address, wrong, '561167')).toMatchObject([403, { code: 'invalid_signature' }]);
  await rowsOf(page).getByRole('link', { name: 'What invalid_signature means' }).click();
  await expect(page.getByRole('heading', { name: 'invalid_signature' })).toBeInViewport();
  await page.goBack();

  await choose(page, 'New secret…');
  await expect(popup).toContainText('The old one works for 24 hours');
  await takeScreenshots(page, 'connect-rotate');
  await popup.getByRole('button', { name: 'Create new secret' }).click();
  await expect(rowsOf(page)).toContainText('The old secret works until');
  const renewed = (await shownIn(page, 'New secret').textContent()) ?? '';
  expect(renewed).not.toBe(secret);
  expect(await callAsSupabase(address, renewed, '561168')).toEqual([200, {}]);
  expect(await callAsSupabase(address, secret, '561169')).toEqual([200, {}]);
  await expectGoodView(page);

  await choose(page, 'Requests');
  const calls = page.getByRole('table', { name: 'Requests' }).getByRole('row');
  await expect(async () => {
    await page.reload();
    await expect(calls).toHaveCount(4, { timeout: 1_000 });
  }).toPass();
  await page.goBack();
  await choose(page, 'Limits');
  await expect(popup).toContainText(`Edit “${NAME}”`);
  await popup.getByLabel('Credits per day').fill('100');
  await popup.getByRole('button', { name: 'Save' }).click();
  const key = page.getByRole('region', { name: 'Named keys' }).getByRole('listitem').filter({ hasText: NAME });
  await expect(key).toContainText('Sends the calls of Supabase.');
  await key.getByRole('button', { name: /^Actions for/ }).click();
  await expect(page.getByRole('menuitem')).toHaveText(['Edit…', 'Revoke…']);
  await page.keyboard.press('Escape');
  await key.getByRole('link', { name: 'Connect' }).click();

  await choose(page, 'Disconnect…');
  await takeScreenshots(page, 'connect-disconnect');
  await popup.getByRole('button', { name: 'Cancel' }).click();
  await expect(rowsOf(page).getByRole('button', { name: /^Actions for/ })).toBeFocused();
  await choose(page, 'Disconnect…');
  await popup.getByRole('button', { name: 'Disconnect' }).click();
  await expect(page.getByRole('alert')).toHaveText(`“${NAME}” is disconnected.`);
  await expect(page.getByText('Nothing is connected yet.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Connect a product' })).toBeFocused();
  expect(await callAsSupabase(address, renewed, '561170')).toMatchObject([404, { code: 'not_found' }]);
  await leave(page);
});

test('ZITADEL is connected by its address first, then by the key that it makes', async ({ browser }) => {
  const { page } = await signIn(browser, stack);
  await page.goto(`${stack.url}/dashboard/connect?connect=zitadel`);
  await popupOf(page).getByRole('button', { name: 'Connect', exact: true }).click();
  const address = (await shownIn(page, 'Address').textContent()) ?? '';
  await expect(shownIn(page, 'New secret')).toHaveCount(0);
  await expect(rowsOf(page)).toContainText('Needs ZITADEL’s signing key.');
  await rowsOf(page).getByRole('button', { name: 'Enter signing key' }).click();
  await popupOf(page).getByRole('button', { name: 'Save signing key' }).click();
  await expect(popupOf(page).getByLabel('Signing key')).toHaveAccessibleDescription('Enter the signing key.');
  await popupOf(page).getByLabel('Signing key').fill('VqLpT3kZ7y');
  await popupOf(page).getByRole('button', { name: 'Save signing key' }).click();
  await expect(rowsOf(page)).toContainText('Waiting for the first call.');

  const body = JSON.stringify({ contextInfo: { recipientPhoneNumber: '+14155557302' }, args: { code: '561166' } });
  const seconds = String(Math.floor(Date.now() / 1_000));
  const hex = createHmac('sha256', 'VqLpT3kZ7y').update(`${seconds}.${body}`).digest('hex');
  expect(await post(address, body, { 'zitadel-signature': `t=${seconds},v1=${hex}` })).toMatchObject([200, {}]);
  await expect(rowsOf(page)).toContainText(/Last call .*: sent/);
  await leave(page);
});

for (const [product, path, title] of [
  ['otp', '/docs/connect/generic', 'Curl: Send a code'],
  ['sms', '/docs/connect/sms', 'Curl: Send a text'],
] as const)
  test(`the command of ${path} sends, as it stands on the page`, async ({ browser }) => {
    const { page } = await signIn(browser, stack);
    await page.goto(`${stack.url}/dashboard/connect?connect=${product}`);
    await popupOf(page).getByRole('button', { name: 'Connect', exact: true }).click();
    const address = (await shownIn(page, 'Address').textContent()) ?? '';
    const secret = (await shownIn(page, 'New secret').textContent()) ?? '';
    await page.goto(`${stack.url}${path}`);
    const command = await page.getByRole('region', { name: `Code: ${title}` }).innerText();
    const text = command.replace(/http\S+/, address).replace('YOUR_PLUG_SECRET', secret);
    const folder = test.info().outputPath('samples', product);
    expect(await runSample('curl', writeSample(folder, 'curl.sh', text))).toMatch(/SM[0-9a-f]{32}/);
    await leave(page);
  });
