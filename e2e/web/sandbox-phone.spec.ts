import { expect, test, type Page } from '@playwright/test';
import { fileURLToPath } from 'node:url';
import twilio, { type Twilio } from 'twilio';
import { readEnv } from '../../sandbox/env.js';
import { type RunningSandbox, startSandbox } from '../../sandbox/sandbox.js';
import { Complaints } from '../testing/complaints.js';
import { expectAccessibleInBothSchemes, overflow } from '../testing/view-checks.js';

const PHONE = '+14155552671';
const READABLE = '+1 415 555 2671';
const FROM = '+15005550006';
const TWIML = '<Response><Say>Your code is 4, 7, 1, 1.</Say><Pause length="1"/><Say>Goodbye.</Say></Response>';
const pagesDir = fileURLToPath(new URL('../../dist/sandbox/ui', import.meta.url));

let sandbox: RunningSandbox;
let client: Twilio;

test.beforeAll(async () => {
  const { accountSid, authToken } = readEnv({});
  sandbox = await startSandbox({ pagesDir, receiptDelayMs: 50, callRingMs: 50, callTalkMs: 900 });
  client = twilio(accountSid, authToken);
  client.api.baseUrl = sandbox.url;
});

test.afterAll(async () => {
  await sandbox?.close();
});

const place = (more: object = {}) => client.calls.create({ to: PHONE, from: FROM, twiml: TWIML, ...more });
const tab = (page: Page, name: RegExp | string) => page.getByRole('tab', { name });

async function expectFits(page: Page): Promise<void> {
  await expectAccessibleInBothSchemes(page, 'main');
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 844 });
    expect([width, await overflow(page)]).toEqual([width, 0]);
  }
}

test('WhatsApp messages have a tab of their own, where a person reads them', async ({ page }) => {
  const complaints = new Complaints(page);
  await client.messages.create({ to: PHONE, from: FROM, body: 'A text by SMS' });
  await page.goto(`${sandbox.url}/phone`);
  const log = page.getByRole('log');
  await expect(log).toContainText('A text by SMS');
  await client.messages.create({
    to: `whatsapp:${PHONE}`,
    from: 'whatsapp:+14155238886',
    contentSid: `HX${'1a'.repeat(16)}`,
    contentVariables: JSON.stringify({ 1: '471147' }),
  });
  await expect(page.getByRole('navigation')).toContainText('WhatsApp: 471147 is your verification code.');
  await expect(log).not.toContainText('471147');
  await tab(page, 'SMS').focus();
  await page.keyboard.press('ArrowRight');
  await expect(tab(page, 'WhatsApp')).toHaveAttribute('aria-selected', 'true');
  await expect(log).toContainText('471147 is your verification code. For your security, do not share this code.');
  await expect(log).not.toContainText('A text by SMS');
  await expect(log).toContainText('Delivered');
  await page.getByRole('button', { name: 'Mark as read' }).click();
  await expect(log).toContainText('Read');
  await expect(page.getByRole('button', { name: 'Mark as read' })).toBeDisabled();
  await expectFits(page);
  await page.reload();
  await expect(tab(page, 'WhatsApp')).toHaveAttribute('aria-selected', 'true');
  expect(complaints.take()).toEqual([]);
});

test('calls are heard as text, and a person answers or declines them', async ({ page }) => {
  const complaints = new Complaints(page);
  await page.goto(`${sandbox.url}/phone#/${PHONE}/calls`);
  await expect(page.getByRole('log', { name: 'Calls' })).toContainText('No calls yet.');
  const call = page.getByRole('article').last();
  await place();
  await expect(call).toContainText('Your code is 4, 7, 1, 1.');
  await expect(call).toContainText('Completed');
  await expect(call).toContainText('Goodbye.');

  const answers = page.getByRole('switch', { name: 'Let me answer calls' });
  await answers.click();
  await expect(answers).toBeChecked();
  await place();
  await expect(page.getByRole('article')).toHaveCount(2);
  await expect(call).toContainText('Ringing');
  await expect(tab(page, 'Calls ringing')).toBeVisible();
  await expect(page.getByRole('navigation')).toContainText('Call is ringing');
  await expectFits(page);
  await call.getByRole('button', { name: 'Answer' }).click();
  await expect(call.getByRole('button', { name: 'Hang up' })).toBeVisible();
  await expect(call.getByRole('list', { name: 'Spoken text' })).toContainText('Your code is 4, 7, 1, 1.');
  await expect(call).toContainText('Completed');

  const { sid } = await place();
  await expect(page.getByRole('article')).toHaveCount(3);
  await call.getByRole('button', { name: 'Decline' }).click();
  await expect(call).toContainText('Busy');
  expect((await client.calls(sid).fetch()).status).toBe('busy');

  await place({ timeout: 1 });
  await expect(page.getByRole('article')).toHaveCount(4);
  await expect(call).toContainText('Not answered');
  await expect(page.getByRole('link', { name: READABLE })).toContainText('Call not taken');
  expect(complaints.take()).toEqual([]);
});
