import { createHash } from 'node:crypto';
import { expect, type Browser, type Locator, type Page } from '@playwright/test';
import sharp from 'sharp';
import { Complaints } from '../testing/complaints.js';
import { test } from '../testing/product.js';
import { takeScreenshots } from '../testing/screenshots.js';
import { leave, signIn } from '../testing/signed-in.js';
import type { Stack } from '../testing/stack.js';
import { expectGoodView, expectWhole } from '../testing/view-checks.js';
import { Visitor } from '../testing/visitor.js';

const TO = '+12025550188';
const ABROAD = '+4915123456789';

let stack: Stack;

test.beforeAll(({ product }) => {
  stack = product;
});

const message = (page: Page) => page.getByRole('main').getByRole('textbox', { name: 'Message', exact: true });
const recipient = (page: Page) => page.getByRole('textbox', { name: 'To', exact: true });
const act = (page: Page) => page.getByRole('button', { name: /^(Send|Schedule)/ });
const attached = (page: Page) => page.getByRole('list', { name: 'Attached files' }).getByRole('listitem');
const figure = (page: Page, name: string) =>
  page.getByRole('main').getByText(name, { exact: true }).locator('xpath=following-sibling::dd');

const pictureOf = (background: string, width = 900, height = 600) =>
  sharp({ create: { width, height, channels: 3, background } })
    .jpeg()
    .toBuffer();

/** Drops a file on an element, or pastes it there. */
async function give(how: 'drop' | 'paste', on: Locator, name: string, bytes: Buffer): Promise<void> {
  await on.evaluate(
    (element, [kind, fileName, base64]) => {
      const content = Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
      const data = new DataTransfer();
      data.items.add(new File([content], fileName, { type: 'image/jpeg' }));
      const bubbles = { bubbles: true, cancelable: true };
      if (kind === 'paste') element.dispatchEvent(new ClipboardEvent('paste', { ...bubbles, clipboardData: data }));
      else
        for (const event of ['dragover', 'drop'])
          element.dispatchEvent(new DragEvent(event, { ...bubbles, dataTransfer: data }));
    },
    [how, name, bytes.toString('base64')] as const,
  );
}

async function open(browser: Browser, path: string) {
  const { page, email } = await signIn(browser, stack);
  await stack.admin('credits', 'adjust', email, '100', '--why', 'e2e');
  const apiKey = await Visitor.of(stack, page.request).apiKey();
  await page.goto(`${stack.url}${path}`);
  return { page, email, apiKey, complaints: new Complaints(page) };
}

test('a picture that is dropped into the composer arrives on the phone', async ({ browser }) => {
  const { page, apiKey, complaints } = await open(browser, '/dashboard/send');
  const picture = await pictureOf('#c04f2c');
  await recipient(page).fill(TO);
  await expect(page.getByText('USA: 1 credit per segment')).toBeVisible();
  await give('drop', message(page), 'shop.jpg', picture);
  await expect(attached(page)).toContainText(['shop.jpg']);
  await expect(page.getByText('USA: 3 credits per MMS')).toBeVisible();
  await expect(figure(page, 'Sent as')).toHaveText('MMS');
  await expect(figure(page, 'Price')).toHaveText('3 credits');
  await expect(act(page)).toHaveText('Send for 3 credits');
  await message(page).fill('Our new shop');
  const thumbnail = attached(page).locator('img');
  await expect.poll(() => thumbnail.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(100);
  await takeScreenshots(page, 'send-picture');
  await expectGoodView(page);

  await act(page).click();
  await expect(page.getByText(/^The message (is on its way|was delivered): MMS, 3 credits\.$/)).toBeVisible();
  await expect(attached(page)).toHaveCount(0);
  await expect(message(page)).toHaveValue('');
  const [sent] = await stack.api.messages(apiKey);
  expect(sent).toMatchObject({ kind: 'mms', message: 'Our new shop', credits: 3 });
  expect(sent?.media).toMatchObject([{ type: 'image/jpeg', bytes: picture.length }]);

  const phone = await page.context().newPage();
  await phone.goto(`${stack.carrier.url}/phone`);
  await phone
    .getByRole('navigation', { name: 'Numbers' })
    .getByRole('link', { name: TO.slice(-4) })
    .click();
  const shown = phone.getByRole('log').getByRole('img').last();
  await expect(shown).toBeVisible();
  await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(900);
  await expect(phone.getByRole('log')).toContainText('Our new shop');
  const source = await shown.evaluate((image: HTMLImageElement) => image.src);
  const arrived = Buffer.from(await (await fetch(source)).arrayBuffer());
  expect(digest(arrived)).toBe(digest(picture));
  expect(sent?.media?.[0]?.sha256).toBe(digest(picture));
  await phone.close();

  await page.getByRole('link', { name: sent?.message_id ?? 'none' }).click();
  await expect(page.getByRole('img', { name: /^Download picture, / })).toBeVisible();
  await expect(page.getByText('None: an MMS has one price')).toBeVisible();
  await expectWhole(page, 'message-picture');
  await page.getByRole('link', { name: 'Record' }).click();
  await expect(page.getByRole('table', { name: 'Files' })).toContainText(digest(picture));
  await expectWhole(page, 'record-picture');
  expect(complaints.take()).toEqual([]);
  await leave(page);
});

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

test('pictures are pasted, chosen and taken away; a message may be pictures alone', async ({ browser }) => {
  const { page, apiKey, complaints } = await open(browser, '/dashboard/send');
  await recipient(page).fill('+12025550189');
  await give('paste', message(page), 'pasted.jpg', await pictureOf('#2c7ac0', 300, 300));
  await expect(attached(page)).toContainText(['pasted.jpg']);
  await page.getByLabel('Choose pictures').setInputFiles([
    {
      name: 'one.png',
      mimeType: 'image/png',
      buffer: await sharp(await pictureOf('#40a060', 80, 80))
        .png()
        .toBuffer(),
    },
    { name: 'page.png', mimeType: 'image/png', buffer: Buffer.from('<html><script>alert(1)</script></html>') },
    { name: 'long.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(5_000_001) },
  ]);
  await expect(attached(page)).toHaveCount(4);
  await expect(page.getByText(/page\.png: Phones do not take this file/)).toBeVisible();
  await expect(page.getByText(/long\.pdf: The files of a message have 5 MB together at most/)).toBeVisible();
  await expect(act(page)).toHaveAttribute('aria-disabled', 'true');
  await takeScreenshots(page, 'send-pictures-refused');
  await expectGoodView(page);
  await page.getByRole('button', { name: 'Remove page.png' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Remove long.pdf' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Add pictures' })).toBeFocused();
  await page.getByRole('button', { name: 'Remove pasted.jpg' }).click();
  await expect(act(page)).toHaveText('Send for 3 credits');
  await act(page).click();
  await expect(page.getByText(/^The message (is on its way|was delivered): MMS/)).toBeVisible();
  const [sent] = await stack.api.messages(apiKey);
  expect(sent).toMatchObject({ kind: 'mms', message: '' });
  expect(sent?.media).toMatchObject([{ type: 'image/png' }]);

  await page.goto(`${stack.url}/dashboard/messages`);
  const row = page.getByRole('table').locator('tbody tr:not([aria-hidden])').first();
  await expect(row).toContainText('Picture');
  await expectWhole(page, 'history-picture');
  await row.getByRole('link', { name: 'Picture' }).click();
  await page.getByRole('link', { name: 'Send again' }).click();
  await expect(attached(page)).toHaveCount(1);
  await expect(act(page)).toHaveText('Send for 3 credits');
  // The browser notes the answer that refused a file.
  expect(complaints.take().filter((text) => !text.includes('400'))).toEqual([]);
  await leave(page);
});

test('to another country links are sent if the person wants it', async ({ browser }) => {
  const { page, email, apiKey } = await open(browser, '/dashboard/send');
  await recipient(page).fill(ABROAD);
  await message(page).fill('Look');
  await give('drop', message(page), 'shop.jpg', await pictureOf('#c04f2c'));
  await expect(page.getByText(/Messages with files are sent to the USA and Canada only, not to Germany/)).toBeVisible();
  await page.getByRole('checkbox', { name: /Send links to the files/ }).check();
  await expect(page.getByText(/Links in place of files need activation/).first()).toBeVisible();
  await expectWhole(page, 'send-picture-abroad');
  await stack.admin('account', 'activate-urls', email);
  await message(page).fill('Look!');
  await expect(figure(page, 'Segments')).toHaveText('1');
  await expect(act(page)).toHaveText('Send for 5 credits');
  await act(page).click();
  await expect(page.getByText(/^The message (is on its way|was delivered): 1 segment, 5 credits/)).toBeVisible();
  const [sent] = await stack.api.messages(apiKey);
  const [, link = ''] = /(http\S+)$/.exec(sent?.message ?? '') ?? [];
  const opened = await fetch(link);
  expect([opened.status, opened.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  await leave(page);
});

test('all recipients of a bulk get the picture, and its price is shown before', async ({ browser }) => {
  const { page, apiKey, complaints } = await open(browser, '/dashboard/bulk');
  await page.getByLabel('Or numbers, one per line').fill('+12025550181\n+12025550182\n+4915123456780');
  await give('drop', message(page), 'menu.jpg', await pictureOf('#804f9c'));
  await expect(attached(page)).toContainText(['menu.jpg']);
  await message(page).fill('Our menu');
  await page.getByRole('button', { name: 'Preview', exact: true }).click();
  await expect(figure(page, 'Messages')).toHaveText('2');
  await expect(figure(page, 'Not sent')).toHaveText('1');
  await expect(figure(page, 'Price')).toHaveText('6 credits');
  await expect(page.getByText(/Each with one file, as MMS/)).toBeVisible();
  await expectWhole(page, 'bulk-picture');
  await page.getByRole('button', { name: 'Send 2 messages for 6 credits' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Send 2 messages for 6 credits' }).click();
  await expect(page.getByText(/2 of 2|delivered/).first()).toBeVisible();
  const sent = await stack.api.messages(apiKey);
  expect(sent.map(({ kind, media }) => [kind, media?.length])).toEqual([
    ['mms', 1],
    ['mms', 1],
  ]);
  expect(complaints.take()).toEqual([]);
  await leave(page);
});

test('a reply in a conversation has a picture, which the conversation then shows', async ({ browser }) => {
  const { page, apiKey, complaints } = await open(browser, '/dashboard/conversations');
  const person = '+12025550187';
  expect(await stack.api.send({ to: person, message: 'Hello', apikey: apiKey })).toMatchObject({ kind: 'accepted' });
  await page.goto(`${stack.url}/dashboard/conversations/${encodeURIComponent(person)}`);
  const reply = page.getByRole('textbox', { name: 'Reply' });
  await give('paste', reply, 'door.jpg', await pictureOf('#305f2c'));
  await expect(attached(page)).toContainText(['door.jpg']);
  await reply.fill('This door');
  await expect(page.getByText(/3 credits · MMS · 1,591 characters left/)).toBeVisible();
  await expectWhole(page, 'conversation-reply-picture');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  const shown = page.getByRole('img', { name: /^Download picture, / });
  await expect(shown).toBeVisible();
  await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(100);
  await expect(attached(page)).toHaveCount(0);
  await expectWhole(page, 'conversation-sent-picture');
  expect(complaints.take()).toEqual([]);
  await leave(page);
});
