import { writeFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { Complaints } from '../testing/complaints.js';
import { test } from '../testing/product.js';
import { takeScreenshots } from '../testing/screenshots.js';
import { leave, signIn } from '../testing/signed-in.js';
import type { Stack } from '../testing/stack.js';
import { expectGoodView } from '../testing/view-checks.js';
import { Visitor } from '../testing/visitor.js';

const LIST = `\ufeffName;Mobile phone;City
"Ada ""the Countess""";+12025550161;London
@bob; (202) 555-0162 ;Rome
=HYPERLINK("x");+12025550163;Oslo
Ada;12;Paris
@bob;2025550162;Rome
Zoë
`;

let stack: Stack;

test.beforeAll(({ product }) => {
  stack = product;
});

const main = (page: Page) => page.getByRole('main');
const figure = (page: Page, name: string) =>
  main(page).getByText(name, { exact: true }).locator('xpath=following-sibling::dd');
const message = (page: Page) => main(page).getByRole('textbox', { name: 'Message', exact: true });
const preview = (page: Page) => main(page).getByRole('button', { name: 'Preview', exact: true });
const rows = (page: Page, table: string) => page.getByRole('table', { name: table }).getByRole('row');

/** Chooses a file on the disk, as large files take long through the browser's protocol. */
async function choose(page: Page, content: string | Buffer, name = 'people.csv'): Promise<void> {
  const path = test.info().outputPath(name);
  await writeFile(path, content);
  await page.getByLabel('CSV file').setInputFiles(path);
}

async function open(
  ...given: Parameters<typeof signIn>
): Promise<{ page: Page; complaints: Complaints; apiKey: string; email: string }> {
  const { page, email } = await signIn(...given);
  const complaints = new Complaints(page);
  const apiKey = await Visitor.of(stack, page.request).apiKey();
  await page.goto(`${stack.url}/dashboard/bulk`);
  return { page, complaints, apiKey, email };
}

test('a list is read, previewed, sent once, and followed until all messages have arrived', async ({ browser }) => {
  const { page, complaints, apiKey } = await open(browser, stack);
  await choose(page, LIST);
  await expect(main(page).getByText('6 rows in people.csv')).toBeVisible();
  await expect(page.getByLabel('Numbers are in')).toHaveValue('1');
  await expect(page.getByLabel('The first row has the names of the columns')).toBeChecked();

  await message(page).fill('Hello , your order is ready.');
  await message(page).press('Home');
  for (let step = 0; step < 'Hello '.length; step += 1) await message(page).press('ArrowRight');
  await page.getByRole('button', { name: '{{Name}}' }).click();
  await expect(message(page)).toHaveValue('Hello {{Name}}, your order is ready.');
  await preview(page).click();

  await expect(figure(page, 'Messages')).toHaveText('3');
  await expect(figure(page, 'Not sent')).toHaveText('3');
  await expect(figure(page, 'Price')).toHaveText('3 credits');
  await expect(figure(page, 'Balance afterwards')).toHaveText('0 credits');
  await expect(rows(page, 'Messages of the preview')).toContainText([
    'To',
    'Hello Ada "the Countess", your order is ready.',
    'Hello @bob, your order is ready.',
    'Hello =HYPERLINK("x"), your order is ready.',
  ]);
  await expect(rows(page, 'Rows that are not sent')).toContainText([
    'Line',
    /5.*12.*not a valid phone number/,
    /6.*2025550162.*Line 3 has the same number and text, which is sent once\./,
    /7.*None.*needs a number/,
  ]);
  expect((await stack.api.balance(apiKey)).balance).toBe(3);
  await takeScreenshots(page, 'dashboard-bulk-preview');
  await expectGoodView(page);

  const send = main(page).getByRole('button', { name: 'Send 3 messages for 3 credits' });
  await send.press('Enter');
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText('3 credits will be charged; 0 credits are left afterwards.');
  await takeScreenshots(page, 'dashboard-bulk-confirm');
  await page.keyboard.press('Escape');
  await expect(send).toBeFocused();
  await send.click();
  await dialog.getByRole('button', { name: 'Send 3 messages for 3 credits' }).click();
  await expect(main(page)).toContainText('3 messages are on the way for 3 credits. Your balance is 0 credits.');
  await expect(main(page)).toContainText('All messages are finished.');
  await expect(figure(page, 'Delivered')).toHaveText('3');
  for (const to of ['+12025550161', '+12025550162', '+12025550163'])
    expect(await stack.carrier.messages(to)).toHaveLength(1);
  await takeScreenshots(page, 'dashboard-bulk-sent');

  await page.getByRole('link', { name: 'See the batch' }).click();
  await expect(page).toHaveURL(/\/dashboard\/bulk\?id=BA[0-9a-f]{32}$/);
  await expect(rows(page, 'Messages of the batch')).toHaveCount(4);
  await expect(rows(page, 'Messages of the batch').last()).toContainText('Delivered');
  await takeScreenshots(page, 'dashboard-batch');
  await expectGoodView(page);
  await rows(page, 'Messages of the batch').last().getByRole('link').click();
  await expect(page).toHaveURL(/\/dashboard\/message\?id=SM[0-9a-f]{32}$/);
  expect(complaints.take()).toEqual([]);
  await leave(page);
});

test('a bulk pays less without typographic characters, and its messages share a reference', async ({ browser }) => {
  const { page, complaints, apiKey, email } = await open(browser, stack);
  await stack.admin('credits', 'adjust', email, '10', '--why', 'e2e');
  await page.getByLabel('Or numbers, one per line').fill('to,reference\n+12025550174,\n+12025550175,own');
  await message(page).fill(`Doors open at 8 – 10 pm. ${'Bring your ticket. '.repeat(4)}`);
  await page.getByText('Encoding and reference').click();
  await page.getByLabel('Reference').fill('concert');
  await preview(page).click();
  await expect(figure(page, 'Price')).toHaveText('4 credits');
  await page.getByRole('button', { name: 'Replace – by - and pay 2 credits instead of 4' }).click();
  await expect(message(page)).toHaveValue(/^Doors open at 8 - 10 pm\./);
  await expect(figure(page, 'Price')).toHaveText('2 credits');
  await expect(page.getByRole('button', { name: /^Replace/ })).toHaveCount(0);
  await main(page).getByRole('button', { name: 'Send 2 messages for 2 credits' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Send 2 messages for 2 credits' }).click();
  await expect(main(page)).toContainText('All messages are finished.');
  const sent = await stack.api.messages(apiKey);
  expect(new Set(sent.map(({ reference }) => reference))).toEqual(new Set(['concert', 'own']));
  expect(complaints.take()).toEqual([]);
  await leave(page);
});

test('a bulk whose answer was lost is sent again, and charged once', async ({ browser }) => {
  const { page, apiKey } = await open(browser, stack);
  await page.getByLabel('Or numbers, one per line').fill('+12025550171\n+12025550172\n');
  await message(page).fill('Only once');
  await preview(page).click();
  const confirm = async () => {
    await main(page).getByRole('button', { name: 'Send 2 messages for 2 credits' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Send 2 messages' }).click();
  };
  await expect(figure(page, 'Messages')).toHaveText('2');
  await page.route('**/api/sendbulk', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await confirm();
  await expect(main(page)).toContainText('You can send it again unchanged: it is sent and charged only once.');
  await page.unroute('**/api/sendbulk');
  await confirm();
  await expect(main(page)).toContainText('2 messages are on the way for 2 credits.');
  await expect(main(page)).toContainText('All messages are finished.');
  expect(await stack.carrier.messages('+12025550171')).toHaveLength(1);
  expect((await stack.api.balance(apiKey)).balance).toBe(1);
  await leave(page);
});

test('a bulk whose answer was lost is the same bulk after a reload, whatever the balance is now', async ({
  browser,
}) => {
  const { page, apiKey } = await open(browser, stack);
  const compose = async () => {
    await page.getByLabel('Or numbers, one per line').fill('+12025550191\n+12025550192\n12');
    await message(page).fill('Only once');
    await preview(page).click();
    await expect(figure(page, 'Messages')).toHaveText('2');
    await expect(figure(page, 'Not sent')).toHaveText('1');
  };
  const confirm = async () => {
    await main(page).getByRole('button', { name: 'Send 2 messages for 2 credits' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Send 2 messages' }).click();
  };
  await compose();
  await page.route('**/api/sendbulk', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await confirm();
  await expect(main(page)).toContainText('It may have been sent.');
  await page.unroute('**/api/sendbulk');
  await expect.poll(async () => (await stack.api.balance(apiKey)).balance).toBe(1);

  await page.reload();
  const unanswered = main(page).getByText(/^The bulk that you sent on .* was not answered\./);
  await expect(unanswered).toBeVisible();
  await takeScreenshots(page, 'dashboard-bulk-unanswered');
  await page.getByText('Encoding and reference').click();
  await page.getByRole('radio', { name: 'GSM-7 only' }).check();
  await compose();
  await expect(main(page)).toContainText('This is the same bulk again: it is sent and charged only once.');
  await expect(main(page)).toContainText('Sent at once. Encoding as needed.');
  await takeScreenshots(page, 'dashboard-bulk-again');
  await confirm();
  await expect(main(page)).toContainText('2 messages are on the way for 2 credits. Your balance is 1 credit.');
  await expect(main(page)).toContainText('All messages are finished.');
  for (const to of ['+12025550191', '+12025550192']) expect(await stack.carrier.messages(to)).toHaveLength(1);
  expect((await stack.api.balance(apiKey)).balance).toBe(1);
  await page.reload();
  await expect(preview(page)).toBeVisible();
  await expect(unanswered).toBeHidden();
  await leave(page);
});

test('a bulk is encoded as chosen, scheduled for the time that was picked, and canceled', async ({ browser }) => {
  const { page, complaints, apiKey } = await open(browser, stack);
  await page.getByLabel('Or numbers, one per line').fill('+12025550165\n+12025550166');
  await page.getByText('Encoding and reference').click();
  const encoding = main(page).getByRole('group', { name: 'Encoding' });
  await expect(encoding).toContainText(
    'Every character is in the GSM-7 alphabet: up to 160 characters are one segment.',
  );
  await message(page).fill('Don’t forget…');
  await expect(encoding).toContainText('Not in GSM-7: ’… Messages with these characters are Unicode (UCS-2)');
  await encoding.getByRole('radio', { name: 'GSM-7 only' }).check();
  await expect(encoding).toContainText('Messages with these characters are not sent.');
  await preview(page).click();
  await expect(main(page)).toContainText('None of these messages can be sent.');
  await expect(rows(page, 'Rows that are not sent').nth(1)).toContainText('’');
  await encoding.getByRole('radio', { name: 'Smart' }).check();
  await expect(main(page)).toContainText('has changed. Preview it again to send it.');
  await expect(encoding).toContainText('Every character is in the GSM-7 alphabet');

  await page.getByRole('radio', { name: 'Later' }).check();
  const picker = page.getByLabel('Date and time, in your time zone');
  await picker.fill('2020-01-01T09:00');
  await preview(page).click();
  await expect(picker).toHaveAccessibleDescription('This time is over. Choose a later one.');
  const tomorrow = new Date(Date.now() + 86_400_000).toLocaleString('sv-SE').slice(0, 16).replace(' ', 'T');
  await picker.fill(tomorrow);
  await expect(picker).toHaveAccessibleDescription(
    /your time, .* in New York\. Charged now; you can cancel it until it leaves\.$/,
  );
  await preview(page).click();
  await expect(main(page)).toContainText(/Sent on .* your time, .* in New York\. Smart encoding/);
  await expect(rows(page, 'Messages of the preview').nth(1)).toContainText("Don't forget...");
  await takeScreenshots(page, 'dashboard-bulk-later');
  await expectGoodView(page);
  await main(page).getByRole('button', { name: 'Schedule 2 messages for 2 credits' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Schedule 2 messages' }).click();
  await expect(main(page)).toContainText(/2 messages leave on [A-Z][a-z]{2} \d+, \d+:\d\d [AP]M for 2 credits\./);
  await expect(figure(page, 'Scheduled')).toHaveText('2');
  const bar = main(page).getByRole('progressbar').locator('rect[width="1000"]');
  await expect(bar).not.toHaveCSS('fill', 'rgb(0, 0, 0)');
  await takeScreenshots(page, 'dashboard-bulk-scheduled');
  expect((await stack.api.balance(apiKey)).balance).toBe(1);
  await page.getByRole('link', { name: 'See the batch' }).click();
  await expect(rows(page, 'Messages of the batch').last()).toContainText("Don't forget...");
  await page.getByRole('button', { name: 'Cancel batch' }).click();
  const question = page.getByRole('alertdialog', { name: 'Cancel this batch?' });
  await expect(question).toContainText('2 messages of this batch are waiting.');
  await takeScreenshots(page, 'cancel-batch');
  await question.getByRole('button', { name: 'Cancel batch' }).click();
  await expect(question).toBeHidden();
  await expect(figure(page, 'Refunded')).toHaveText('2 credits');
  await expect(page.getByRole('button', { name: 'Cancel batch' })).toBeHidden();
  expect(await stack.carrier.messages('+12025550165')).toEqual([]);
  expect(complaints.take().filter((one) => !one.includes('400'))).toEqual([]);
  await leave(page);
});

test('a balance that was spent meanwhile sends nothing, and the preview is made again', async ({ browser }) => {
  const { page, apiKey } = await open(browser, stack);
  await page.getByLabel('Or numbers, one per line').fill('+12025550181, +12025550182, +12025550183');
  await expect(main(page).getByText('3 rows')).toBeVisible();
  await message(page).fill('Hello');
  await preview(page).click();
  await expect(figure(page, 'Messages')).toHaveText('3');
  await stack.api.send({ to: '+12025550184', message: 'Spent', apikey: apiKey });
  await main(page).getByRole('button', { name: 'Send 3 messages for 3 credits' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Send 3 messages' }).click();
  await expect(main(page)).toContainText('Something has changed since the preview, so nothing was sent');
  await expect(figure(page, 'Messages')).toHaveText('2');
  await expect(main(page)).toContainText('Your balance covers 2 messages.');
  await expect(rows(page, 'Rows that are not sent')).toHaveCount(2);
  expect((await stack.api.balance(apiKey)).balance).toBe(2);
  expect(await stack.carrier.messages('+12025550181')).toEqual([]);
  await takeScreenshots(page, 'dashboard-bulk-short');
  await leave(page);
});

test('lists that cannot be sent are refused with the reason', async ({ browser }) => {
  const { page, complaints } = await open(browser, stack);
  const fault = main(page).getByRole('alert').filter({ hasText: /./ });
  const refused: readonly (readonly [string, string | Buffer, string])[] = [
    [
      '100,000 rows',
      `phone\n${'+12025550100\n'.repeat(100_000)}`,
      'There are 100,000 rows, and a bulk has at most 10,000. Split them into 10 files.',
    ],
    ['a workbook', 'PK\u0003\u0004', 'Save the table as CSV'],
    ['an open quote', 'name,phone\n"Ada,+12025550161', 'The quotation mark that opens on line 2 is never closed.'],
    ['nothing', '\ufeff\r\n', 'There are no rows.'],
    ['more than 20 MB', Buffer.alloc(21 * 1_048_576, 'a'), 'The file has more than 20 MB.'],
  ];
  await message(page).fill('Hello');
  for (const [title, content, why] of refused) {
    await choose(page, content, `${title}.csv`);
    await expect(fault, title).toContainText(why);
    await expect(preview(page)).toBeDisabled();
  }
  await takeScreenshots(page, 'dashboard-bulk-refused');

  await choose(page, 'name,phone\nAda,12\nBob,34');
  await message(page).fill('Hello {{nickname}}');
  await expect(fault).toContainText('No column is called {{nickname}}.');
  await preview(page).click();
  await expect(main(page)).toContainText('None of these messages can be sent.');
  await expect(main(page)).toContainText('The recipient has no text or number for {{nickname}}.');
  await message(page).fill('Hello');
  await expect(main(page)).toContainText('Preview it again to send it.');
  await expect(figure(page, 'Price')).toHaveCount(0);
  expect(complaints.take().filter((one) => !one.includes('400'))).toEqual([]);
  await leave(page);
});

test('batches are listed with their progress, live', async ({ browser }) => {
  const { page, complaints, apiKey, email } = await open(browser, stack, { name: 'Wilhelmina Featherstonehaugh' });
  await page.getByRole('tab', { name: 'Batches' }).click();
  await expect(main(page)).toContainText('No batches yet.');
  await takeScreenshots(page, 'dashboard-batches-empty');
  await stack.admin('credits', 'adjust', email, '1000', '--why', 'e2e');
  await stack.carrier.misbehave('undelivered', { count: 1 });
  const bulk = async (count: number) => {
    const messages = Array.from({ length: count }, (_one, n) => ({
      to: `+1415${5_610_000 + n}`,
      message: `Hello ${count}`,
    }));
    const answer = await page.request.post(`${stack.url}/api/sendbulk`, {
      headers: { authorization: `Bearer ${apiKey}` },
      data: { messages },
    });
    expect(answer.status()).toBe(200);
  };
  await bulk(60);
  await expect(rows(page, 'Batches')).toHaveCount(2);
  await expect(rows(page, 'Batches').nth(1)).toContainText('Finished');
  for (let n = 1; n <= 20; n += 1) await bulk(n % 3 === 0 ? 2 : 1);
  await expect(rows(page, 'Batches')).toHaveCount(21);
  await takeScreenshots(page, 'dashboard-batches');
  await expectGoodView(page);
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(rows(page, 'Batches')).toHaveCount(2);
  await rows(page, 'Batches').nth(1).getByRole('link').press('Enter');
  await expect(main(page)).toContainText('All messages are finished.');
  await expect(rows(page, 'Messages of the batch')).toHaveCount(51);
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(rows(page, 'Messages of the batch')).toHaveCount(11);
  await page.goto(`${stack.url}/dashboard/bulk?id=BA1`);
  await expect(main(page)).toContainText('Batch not found.');
  expect(complaints.take().filter((one) => !one.includes('404'))).toEqual([]);
  await leave(page);
});
