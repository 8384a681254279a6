import { createHash } from 'node:crypto';
import { expect, type Browser, type Page } from '@playwright/test';
import sharp from 'sharp';
import type { ReceivedMessagePayload } from '#contract/webhooks.js';
import type { CarriedFile } from '../../tools/testkit/carrier.js';
import { Complaints } from '../testing/complaints.js';
import { test } from '../testing/product.js';
import { leave, signIn } from '../testing/signed-in.js';
import type { Stack } from '../testing/stack.js';
import { expectWhole } from '../testing/view-checks.js';
import { Visitor } from '../testing/visitor.js';
import { WebhookReceiver } from '../testing/webhook-receiver.js';

const OURS = '+15005550006';

let stack: Stack;
let receiver: WebhookReceiver;
let accounts = 0;

test.beforeAll(async ({ product }) => {
  stack = product;
  receiver = await WebhookReceiver.start({ failures: 0, answerAfterMs: 0 });
});

test.beforeEach(() => stack.vendors.misbehave({ service: 'media', mode: 'none' }));

test.afterAll(() => receiver?.stop());

test('a picture from the phone is seen in the conversation and comes to the webhook with a link that opens', async ({
  browser,
}) => {
  const { page, person, apikey } = await openTexted(browser);
  const background = '#c04f2c';
  const picture = await sharp({ create: { width: 900, height: 600, channels: 3, background } })
    .png()
    .toBuffer();
  await page.goto(conversationWith(person));
  const complaints = new Complaints(page);
  await expect(page.getByRole('list', { name: 'Messages' }).getByRole('listitem').first()).toContainText('Hello');

  const phone = await page.context().newPage();
  await phone.goto(`${stack.carrier.url}/phone`);
  await phone
    .getByRole('navigation', { name: 'Numbers' })
    .getByRole('link', { name: person.slice(-4) })
    .click();
  const attached = phone.getByRole('list', { name: 'Attached files' });
  await phone
    .getByLabel('Choose a picture')
    .setInputFiles([{ name: 'shop.png', mimeType: 'image/png', buffer: picture }]);
  await expect(attached).toContainText('shop.png');
  await phone.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(phone.getByRole('log').getByRole('img').last()).toBeVisible();
  await expect(attached).toHaveCount(0);
  await phone.screenshot({ path: test.info().outputPath('phone.png') });
  await phone.close();

  // The open page shows the picture as soon as it is copied.
  const shown = page.getByRole('img', { name: /^Download picture, / });
  await expect(shown).toBeVisible();
  await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(100);
  await page.screenshot({ path: test.info().outputPath('conversation.png') });
  await expectWhole(page, 'conversation-picture');

  const event = await received(person);
  expect(event).toMatchObject({ Message: '', Status: 'Received' });
  expect(event.Media).toEqual([
    {
      Id: expect.stringMatching(/^ME[0-9a-f]{32}$/),
      Url: expect.stringContaining(`${stack.url}/m/ME`),
      Type: 'image/png',
      Bytes: picture.length,
      Sha256: createHash('sha256').update(picture).digest('hex'),
      Status: 'stored',
    },
  ]);
  const { Id: id = '', Url: url } = event.Media?.[0] ?? {};
  const opened = await fetch(url ?? '');
  expect(opened.headers.get('content-disposition')).toContain('attachment');
  expect(Buffer.from(await opened.arrayBuffer()).equals(picture)).toBe(true);
  const byKey = await fetch(`${stack.url}/api/media/${id}`, { headers: { authorization: `Bearer ${apikey}` } });
  expect([byKey.status, Buffer.from(await byKey.arrayBuffer()).equals(picture)]).toEqual([200, true]);
  const download = page.waitForEvent('download');
  await shown.click();
  expect((await download).suggestedFilename()).toBe(`${id}.png`);

  await page.goto(`${stack.url}/dashboard/conversations`);
  await expect(firstRow(page)).toContainText('Picture');
  await page.goto(`${stack.url}/dashboard/messages`);
  await page.getByRole('tab', { name: 'SMS Received' }).click();
  await expect(firstRow(page)).toContainText('Picture');
  expect(complaints.take()).toEqual([]);
  await leave(page);
});

test('no file can run a script, whatever it claims to be', async ({ browser }) => {
  const { page, person } = await openTexted(browser);
  const names = ['svg-as-png', 'html-as-png', 'polyglot', 'bomb', 'photo'];
  const files = names.map((sample) => ({ sample }));
  await stack.carrier.reply(person, OURS, 'Look', files);
  const { Media: media = [] } = await received(person);
  expect(media.map(({ Type: type, Status: status }) => [type, status])).toEqual([
    ['application/octet-stream', 'stored'],
    ['application/octet-stream', 'stored'],
    ['image/png', 'stored'],
    ['image/png', 'stored'],
    ['image/jpeg', 'stored'],
  ]);
  await page.goto(conversationWith(person));
  // The bomb and files that are no pictures have no thumbnail.
  await expect(page.getByRole('img', { name: /^Download picture, / })).toHaveCount(2);
  await expect(page.getByRole('link', { name: /^Download (file|picture), / })).toHaveCount(5);
  const stranger = await browser.newContext();
  const other = await stranger.newPage();
  for (const { Url: url } of media) {
    const download = other.waitForEvent('download');
    // The navigation ends as a download.
    await expect(other.goto(url ?? '')).rejects.toThrow();
    await (await download).delete();
    await other.goto(`${stack.carrier.url}/healthz`);
    const asScript = await other.evaluate(
      (src) =>
        new Promise((done) => {
          const script = document.createElement('script');
          script.addEventListener('error', () => done('refused'));
          script.addEventListener('load', () => done('run'));
          script.src = src;
          document.head.append(script);
        }),
      url ?? '',
    );
    expect([asScript, await other.title()]).toEqual(['refused', '']);
  }
  await stranger.close();
  await leave(page);
});

test('a picture that the carrier does not give at once is shown as coming, then as it is', async ({ browser }) => {
  const { page, person } = await openTexted(browser);
  await stack.vendors.misbehave({ service: 'media', mode: 'delay', count: 1, delayMs: 5_000 });
  await stack.carrier.reply(person, OURS, 'Late', [{ sample: 'animated-gif' }]);
  await page.goto(conversationWith(person));
  await expect(page.getByText('Picture: being fetched from the carrier.')).toBeVisible();
  await expect(page.getByRole('img', { name: /^Download picture, / })).toBeVisible();
  await leave(page);
});

test('of eleven files ten are shown, and why the last is not', async ({ browser }) => {
  const { page, person } = await openTexted(browser);
  const files = Array.from({ length: 11 }, (): CarriedFile => ({ sample: 'png' }));
  await stack.carrier.reply(person, OURS, '', files);
  await page.goto(conversationWith(person));
  await expect(page.getByRole('img', { name: /^Download picture, / })).toHaveCount(10);
  await expect(page.getByText('not received. A message has at most 10 files.')).toBeVisible();
  await leave(page);
});

const conversationWith = (person: string) => `${stack.url}/dashboard/conversations/${encodeURIComponent(person)}`;

const firstRow = (page: Page) => page.getByRole('table').locator('tbody tr:not([aria-hidden])').first();

/** The webhook of a person's only reply. */
async function received(person: string): Promise<ReceivedMessagePayload> {
  const all = () => receiver.calls.map(({ body }) => JSON.parse(body) as ReceivedMessagePayload);
  await expect.poll(() => all().map(({ Sender }) => Sender)).toContain(person);
  const event = all().find(({ Sender }) => Sender === person);
  if (!event) throw new Error('The webhook has gone');
  return event;
}

/** A new account that has texted a person whom no other account has texted. */
async function openTexted(browser: Browser): Promise<{ page: Page; person: string; apikey: string }> {
  const { page, email } = await signIn(browser, stack);
  const visitor = Visitor.of(stack, page.request);
  await stack.admin('credits', 'adjust', email, '100', '--why', 'e2e');
  await visitor.call('PUT', '/api/dashboard/webhook-url', { webhookUrl: receiver.url });
  const apikey = await visitor.apiKey();
  accounts += 1;
  const person = `+1628556${String(1_000 + accounts)}`;
  expect(await stack.api.send({ to: person, message: 'Hello', apikey })).toMatchObject({ kind: 'accepted' });
  await expect.poll(async () => (await stack.api.messages(apikey)).map(({ status }) => status)).toEqual(['delivered']);
  return { page, person, apikey };
}
