import { expect, type Page } from '@playwright/test';
import type { OtpConversionAnswer, OtpSettingsAnswer, OtpView } from '../../contract/otp.js';
import { test } from '../testing/product.js';
import { takeScreenshots } from '../testing/screenshots.js';
import { hydrated, leave, signIn } from '../testing/signed-in.js';
import type { Stack } from '../testing/stack.js';
import { until } from '../../tools/testkit/until.js';
import { openFilters } from '../testing/choose-days.js';
import { expectAccessible, expectAccessibleInBothSchemes, expectGoodView, popupOf } from '../testing/view-checks.js';
import { Visitor } from '../testing/visitor.js';

let stack: Stack;

test.beforeAll(({ product }) => {
  stack = product;
});

const main = (page: Page) => page.getByRole('main');
const rows = (page: Page, label: string) => page.getByRole('table', { name: label }).locator('tbody').getByRole('row');
const channel = (page: Page, name: string) => main(page).getByRole('group', { name, exact: true });
const chosen = (page: Page) => main(page).getByRole('group', { name: 'Channels' }).locator('ol > li');

/** Settings of an operator who has configured every channel. */
const settings: OtpSettingsAnswer = {
  recipientRequired: false,
  channelsAfterStop: false,
  callLanguage: 'en-US',
  guard: { suspicious: false, rules: [], blocked: [], reset_at: null, next_reset_at: null },
  channels: [
    { channel: 'sms', credits: 1 },
    { channel: 'whatsapp', credits: 2 },
    { channel: 'voice', credits: 3 },
    { channel: 'email', credits: 1 },
  ],
  voiceCountries: ['USA', 'Canada'],
};

/** Answers of the server for channels that the sandbox's carrier does not have. */
async function answerSettings(page: Page, answer: OtpSettingsAnswer = settings): Promise<void> {
  await page.route('**/api/dashboard/otp', (route) => route.fulfill({ json: answer }));
}

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const idOf = (kind: 'OT' | 'SM', place: number) => `${kind}${String(place).padStart(32, '0')}`;

/** A code of the answers, with a message for each of its steps. */
function codeOf(place: number, { steps, ...fields }: Partial<OtpView> & Pick<OtpView, 'steps'>): OtpView {
  return {
    otp_id: idOf('OT', place),
    status: 'pending',
    to: '+12025550142',
    country: 'US',
    message_id: idOf('SM', place),
    messages: steps.map(({ started_at: at, outcome }, index) => ({
      message_id: idOf('SM', place * 10 + index),
      status: outcome === 'started' ? 'queued' : outcome === 'refused' ? null : outcome,
      reason: outcome === 'undelivered' ? { code: '30003', text: 'Phone switched off', permanent: false } : null,
      created_at: at,
      sent_at: outcome === 'refused' ? null : at,
      finished_at: ['delivered', 'undelivered'].includes(outcome) ? at : null,
    })),
    delivered_at: steps.find(({ outcome }) => outcome === 'delivered')?.started_at ?? null,
    reference: null,
    attempts: 0,
    attempts_left: 5,
    resends_left: 3,
    next_resend_at: null,
    key_id: null,
    key_name: null,
    blocked_by: null,
    channel: steps.at(-1)?.channel ?? 'sms',
    next_channel: null,
    next_channel_at: null,
    steps,
    entered_step: null,
    created_at: steps[0]?.started_at ?? minutesAgo(1),
    last_attempt_at: null,
    verified_at: null,
    expires_at: minutesAgo(-4),
    ended_at: null,
    ...fields,
  };
}

const sms = { n: 1, channel: 'sms', to: '+12025550142', credits: 1, reason: null } as const;
const waiting = codeOf(1, {
  steps: [{ ...sms, started_at: minutesAgo(1), outcome: 'sent' }],
  next_channel: 'voice',
  next_channel_at: '2026-11-30T22:21:00.000Z',
});
const entered = codeOf(2, {
  status: 'verified',
  steps: [
    { ...sms, started_at: minutesAgo(9), outcome: 'undelivered', reason: '30003', credits: 0 },
    {
      n: 2,
      channel: 'voice',
      to: '+12025550142',
      started_at: minutesAgo(8),
      outcome: 'undelivered',
      reason: 'call_busy',
      credits: 0,
    },
    {
      n: 3,
      channel: 'email',
      to: 'a.very.long.name.of.a.person@customers.department.pennytext.example',
      started_at: minutesAgo(7),
      outcome: 'sent',
      reason: null,
      credits: 1,
    },
    {
      n: 4,
      channel: 'whatsapp',
      to: '+12025550142',
      started_at: minutesAgo(6),
      outcome: 'refused',
      reason: 'no_credits',
      credits: 0,
    },
  ],
  entered_step: 3,
  attempts: 1,
  verified_at: minutesAgo(5),
  ended_at: minutesAgo(5),
});
const plain = codeOf(3, {
  to: '+16045550131',
  country: 'CA',
  steps: [{ ...sms, to: '+16045550131', started_at: minutesAgo(20), outcome: 'delivered' }],
});

/** Serves these codes as the log and one by one; each can be replaced while the page is open. */
async function answerCodes(page: Page, codes: OtpView[]): Promise<void> {
  await page.route('**/api/dashboard/otps?*', (route) => {
    const asked = new URL(route.request().url()).searchParams.get('channel');
    const otps = codes.filter(({ steps }) => asked === null || steps.some((step) => step.channel === asked));
    return route.fulfill({ json: { otps, nextCursor: null } });
  });
  await page.route('**/api/dashboard/otps/*', (route) => {
    const id = new URL(route.request().url()).pathname.split('/').at(-1);
    return route.fulfill({ json: codes.find(({ otp_id: one }) => one === id) });
  });
}

test('a code goes by email first and then by SMS, and the page follows it live', async ({ browser }) => {
  const person = await signIn(browser, stack);
  const { page } = person;
  await stack.admin('credits', 'adjust', person.email, '20', '--why', 'a test');
  const apikey = await Visitor.of(stack, page.request).apiKey();
  await page.goto(`${stack.url}/dashboard/otp`);
  await hydrated(page);
  await main(page).getByRole('link', { name: 'send one from here' }).click();
  const send = main(page).getByRole('button', { name: /^Send for/ });
  await expect(send).toHaveText('Send for 1 credit');
  await expect(chosen(page)).toHaveText([/SMS/]);
  await send.click();
  await expect(main(page).getByText('Enter a phone number.')).toBeVisible();
  const to = main(page).getByLabel('To', { exact: true });
  await expect(to).toBeFocused();
  await to.pressSequentially('(202) 555-4790');
  await expect(to).toHaveValue('(202) 555-4790');

  await main(page)
    .getByRole('button', { name: /^Add Email/ })
    .press('Enter');
  await expect(channel(page, 'Email')).toBeFocused();
  await expect(send).toHaveText('Send for up to 2 credits');
  const up = channel(page, 'Email').getByRole('button', { name: 'Move Email up' });
  await up.focus();
  await page.keyboard.press('Enter');
  await expect(chosen(page)).toHaveText([/Email/, /SMS/]);
  await expect(up).toBeFocused();
  const wait = channel(page, 'Email').getByLabel('Wait before the next channel');
  await wait.fill('');
  await wait.pressSequentially('1');
  await send.click();
  await expect(main(page).getByText('Enter a whole number from 15 to 300.')).toBeVisible();
  await expect(main(page).getByText('Enter an address such as ann@example.com.')).toBeVisible();
  await wait.press('End');
  await wait.pressSequentially('5');
  const address = channel(page, 'Email').getByLabel('Email address');
  await address.pressSequentially(person.email);
  await expect(address).toHaveValue(person.email);
  await expect(main(page).getByText(/whole number from|address such as/)).toHaveCount(0);
  await takeScreenshots(page, 'otp-send-email');
  await send.click();

  const steps = main(page).getByRole('list', { name: 'Steps' }).getByRole('listitem');
  await expect(steps).toHaveText([/Email to e2e-.*1 credit/s]);
  await expect(main(page).getByText(/^Sends an SMS at \d+:\d\d [AP]M unless the code is entered\.$/)).toBeVisible();
  await expect(steps).toHaveText([/Email to/, /SMS to \+1 202 555 4790.*Delivered.*1 credit/s], { timeout: 40_000 });
  await takeScreenshots(page, 'otp-sent-email');
  await expectAccessibleInBothSchemes(page, 'main');
  const code = await until(
    'the code has reached the carrier',
    async () => /code is (\d{6})\./.exec((await stack.carrier.messages('+12025554790'))[0]?.body ?? '')?.[1],
    { timeoutMs: 30_000 },
  );
  const verified = await page.request.post(`${stack.url}/api/verifyotp`, {
    data: { otp: code, to: '+12025554790', apikey },
  });
  expect(await verified.text()).toBe('OTP verified');
  await expect(steps.last()).toContainText('The code was entered after this step.');

  await main(page).getByRole('link', { name: 'See this code' }).click();
  await expect(popupOf(page).getByText(/^Delivered to \+1 202 555 4790/)).toBeVisible();
  await expect(popupOf(page).getByText('Step 2 began: SMS')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(rows(page, 'Codes').first()).toContainText(/Verified.*Email → SMS|Verified.*Email.*SMS/s);
  await openFilters(page);
  const filter = page.getByLabel('Channel', { exact: true });
  await filter.selectOption('Email');
  await expect(rows(page, 'Codes')).toHaveCount(1);
  await filter.selectOption('Voice call');
  await expect(main(page).getByText('No codes match these filters.')).toBeVisible();
  await page.getByRole('button', { name: 'Remove the filter Channel: Voice call' }).click();
  await expect(rows(page, 'Codes')).toHaveCount(1);

  await page.goto(`${stack.url}/dashboard/messages`);
  await expect(rows(page, 'Sent').filter({ hasText: person.email })).toHaveCount(1);
  await expectGoodView(page);
  await rows(page, 'Sent').filter({ hasText: person.email }).click();
  await expect(main(page).getByRole('heading', { name: 'Message', exact: true })).toBeVisible();
  await expect(main(page).getByText(person.email)).toBeVisible();
  await expect(main(page).getByRole('link', { name: 'Conversation' })).toHaveCount(0);
  await leave(page);
});

test('channels are chosen and ordered by keyboard, and their price is shown before', async ({ browser }) => {
  const { page } = await signIn(browser, stack);
  await answerSettings(page);
  await page.goto(`${stack.url}/dashboard/otp?tab=send`);
  await hydrated(page);
  await takeScreenshots(page, 'otp-send');
  await expectGoodView(page);
  const add = (name: string) => main(page).getByRole('button', { name: new RegExp(`^Add ${name}`) });
  await add('Voice call').press('Enter');
  await expect(main(page).getByText('A call costs 3 credits; the most this code can cost is 4 credits.')).toBeVisible();
  await expect(main(page).getByText('Countries with calls: Canada, USA.')).toBeVisible();
  await add('WhatsApp').press('Enter');
  await add('Email').press('Enter');
  await expect(main(page).getByRole('group', { name: 'Add a channel' })).toHaveCount(0);
  await channel(page, 'WhatsApp').getByRole('button', { name: 'Move WhatsApp up' }).press('Enter');
  await page.keyboard.press('Enter');
  await expect(chosen(page)).toHaveText([/WhatsApp/, /SMS/, /Voice call/, /Email/]);
  const first = channel(page, 'WhatsApp').getByRole('button', { name: 'Move WhatsApp up' });
  await expect(first).toBeFocused();
  await expect(first).toHaveAttribute('aria-disabled', 'true');
  await expect(main(page).getByRole('button', { name: 'Send for up to 7 credits' })).toBeVisible();
  await takeScreenshots(page, 'otp-send-channels');
  await expectGoodView(page);
  await channel(page, 'SMS').getByRole('button', { name: 'Remove SMS' }).press('Enter');
  await expect(add('SMS')).toBeFocused();
  await expect(main(page).getByRole('button', { name: 'Send for up to 6 credits' })).toBeVisible();

  // The request bounds the price by the shown sum.
  await channel(page, 'Email').getByRole('button', { name: 'Remove Email' }).press('Enter');
  await main(page).getByLabel('To', { exact: true }).fill('+12025550142');
  const sent = page.waitForRequest('**/api/sendotp');
  await page.route('**/api/sendotp', (route) =>
    route.fulfill({
      status: 403,
      json: {
        success: 'false',
        error: 'Failed to send SMS',
        code: 'channel_disabled',
        detail: 'Codes by Voice call to USA are not offered. You were not charged.',
      },
    }),
  );
  await main(page).getByRole('button', { name: 'Send for up to 5 credits' }).click();
  expect((await sent).postDataJSON()).toMatchObject({
    channels: [{ channel: 'whatsapp', wait_seconds: 60 }, { channel: 'voice' }],
    max_credits: 5,
  });
  await expect(main(page).getByRole('alert')).toContainText(/Codes by Voice call to USA.*Nothing was sent\./s);
  await takeScreenshots(page, 'otp-send-refused');
  await expectAccessibleInBothSchemes(page, 'main');
  await leave(page);
});

test('without other channels the form is a number and a button', async ({ browser }) => {
  const { page } = await signIn(browser, stack);
  await answerSettings(page, { ...settings, channels: [{ channel: 'sms', credits: 1 }], voiceCountries: [] });
  await page.goto(`${stack.url}/dashboard/otp?tab=send`);
  await hydrated(page);
  await expect(main(page).getByRole('button', { name: 'Send for 1 credit' })).toBeVisible();
  await expect(main(page).getByRole('group', { name: 'Channels' })).toHaveCount(0);
  await page.unroute('**/api/dashboard/otp');
  await page.route('**/api/dashboard/otp', (route) => route.fulfill({ status: 500, json: {} }));
  await page.goto(`${stack.url}/dashboard/otp?tab=send`);
  await expect(main(page).getByText('The channels could not be loaded.')).toBeVisible();
  await takeScreenshots(page, 'otp-send-failed');
  await leave(page);
});

test('the log shows the channels of codes, and a code its steps and the next one', async ({ browser }) => {
  const { page } = await signIn(browser, stack);
  await answerSettings(page);
  const codes = [waiting, entered, plain];
  await answerCodes(page, codes);
  await page.goto(`${stack.url}/dashboard/otp`);
  await hydrated(page);
  await expect(rows(page, 'Codes')).toHaveText([
    /Sent.*SMS.*Voice call at 5:21 PM/,
    /Verified.*Sent.*SMS.*Voice call.*Email.*WhatsApp/,
    /Delivered/,
  ]);
  await takeScreenshots(page, 'otp-log-channels');
  await expectGoodView(page);
  await openFilters(page);
  await page.getByLabel('Channel', { exact: true }).selectOption('Voice call');
  await expect(rows(page, 'Codes')).toHaveCount(1);
  expect(new URL(page.url()).searchParams.get('channel')).toBe('voice');
  await page.getByRole('button', { name: 'Clear filters' }).click();

  const popup = popupOf(page);
  const steps = popup.getByRole('list', { name: 'Steps' }).getByRole('listitem');
  await rows(page, 'Codes').first().click();
  await expect(popup.getByText(/^The carrier has the message to \+1 202 555 0142; its/)).toBeVisible();
  await expect(popup.getByText('Calls at 5:21 PM unless the code is entered or delivered.')).toBeVisible();
  await takeScreenshots(page, 'otp-code-waiting');
  await page.keyboard.press('Escape');
  await rows(page, 'Codes').nth(1).click();
  await expect(popup.getByText(/^The mail server has the email to a\.very/)).toBeVisible();
  await expect(steps).toHaveText([
    /SMS to \+1 202 555 0142.*Undelivered.*Refunded/s,
    /Voice call to.*Not reached.*Line busy \(call_busy\).*after the first · Refunded/s,
    /Email to a\.very.*Sent.*1 credit.*The code was entered after this step\./s,
    /WhatsApp to.*Not sent.*No credits were left \(no_credits\).*Not charged/s,
  ]);
  await takeScreenshots(page, 'otp-code-steps');
  await expectAccessible(page, { within: '[role=dialog]' });
  await leave(page);
});

test('the conversion shows channels beside countries', async ({ browser }) => {
  const { page } = await signIn(browser, stack);
  const figures: OtpConversionAnswer = {
    success: 'true',
    from: '2026-11-01',
    to: '2026-11-30',
    sent: 1_240,
    verified: 1_000,
    verified_percent: 80.6,
    countries: [
      { country: 'US', sent: 1_200, verified: 980, verified_percent: 81.7 },
      { country: 'CA', sent: 40, verified: 20, verified_percent: 50 },
    ],
    days: [{ day: '2026-11-30', sent: 1_240, verified: 1_000, verified_percent: 80.6 }],
    channels: [
      { channel: 'sms', country: 'US', sent: 300, verified: 210, verified_percent: 70 },
      { channel: 'voice', country: 'US', sent: 90, verified: 60, verified_percent: 66.7 },
      { channel: 'whatsapp', country: 'CA', sent: 12, verified: 9, verified_percent: 75 },
    ],
  };
  await page.route('**/api/dashboard/otp/conversion?*', (route) => route.fulfill({ json: figures }));
  await page.goto(`${stack.url}/dashboard/otp?tab=conversion`);
  await hydrated(page);
  await expect(rows(page, 'By channel and country')).toHaveText([
    /SMS.*USA.*300.*210.*70\.0%/s,
    /Voice call.*USA.*90.*60.*66\.7%/s,
    /WhatsApp.*Canada.*12.*9.*75\.0%/s,
  ]);
  await takeScreenshots(page, 'otp-conversion-channels');
  await expectGoodView(page);
  await leave(page);
});

test('the settings switch whether codes go by other channels after STOP', async ({ browser }) => {
  const { page } = await signIn(browser, stack);
  await page.goto(`${stack.url}/dashboard/otp?tab=settings`);
  await hydrated(page);
  const after = main(page).getByRole('switch', {
    name: 'Send codes by other channels to people who have said STOP to text messages',
  });
  await expect(after).not.toBeChecked();
  await after.press('Space');
  await expect(page.getByText('Codes go by other channels after STOP now.')).toBeVisible();
  await page.reload();
  await expect(after).toBeChecked();
  await takeScreenshots(page, 'otp-settings-channels');
  await expectGoodView(page);
  await after.click();
  await expect(page.getByText('Codes stop on all channels after STOP now.')).toBeVisible();
  await leave(page);
});

test('the settings choose the language of calls', async ({ browser }) => {
  const { page } = await signIn(browser, stack);
  const answers: OtpSettingsAnswer = { ...settings };
  await page.route('**/api/dashboard/otp', async (route) => {
    if (route.request().method() === 'PUT') Object.assign(answers, route.request().postDataJSON());
    await route.fulfill({ json: answers });
  });
  await page.goto(`${stack.url}/dashboard/otp?tab=settings`);
  await hydrated(page);
  const language = main(page).getByLabel('Language');
  await expect(language).toHaveValue('en-US');
  await language.selectOption('French (Canada)');
  await expect(page.getByText('Calls speak French (Canada) now.')).toBeVisible();
  await page.reload();
  await expect(language).toHaveValue('fr-CA');
  await takeScreenshots(page, 'otp-settings-calls');
  await expectGoodView(page);
  await leave(page);
});

test('messages to other channels show how they went, in lists and on their pages', async ({ browser }) => {
  const person = await signIn(browser, stack);
  const { page } = person;
  await stack.admin('credits', 'adjust', person.email, '20', '--why', 'a test');
  const visitor = Visitor.of(stack, page.request);
  const apikey = await visitor.apiKey();
  const send = async (to: string) => {
    const answer = await page.request.post(`${stack.url}/api/sendsms`, { data: { to, message: 'Hello', apikey } });
    expect(answer.status()).toBe(200);
    return ((await answer.json()) as { message_id: string }).message_id;
  };
  const recipients = ['whatsapp:+14155552671', 'voice:+447911123456', 'ann@customers.example'];
  for (const [place, to] of recipients.entries()) {
    const number = `+1202555481${place}`;
    await send(number);
    // No carrier of the sandbox has these channels: the stored recipient is theirs.
    await until(
      'the message was delivered',
      async () => {
        const [row] = await stack.sql<{ status: string }>('SELECT status FROM messages WHERE recipient = $1', [number]);
        return row?.status === 'delivered' || undefined;
      },
      { timeoutMs: 30_000 },
    );
    await stack.sql('UPDATE messages SET recipient = $2 WHERE recipient = $1', [number, to]);
  }
  await page.goto(`${stack.url}/dashboard/messages`);
  await hydrated(page);
  await expect(rows(page, 'Sent')).toContainText([
    'ann@customers.example',
    '+44 7911 123456 by voice call',
    '+1 415 555 2671 by WhatsApp',
  ]);
  await takeScreenshots(page, 'messages-channels');
  await expectGoodView(page);
  await rows(page, 'Sent').last().getByRole('link').first().click();
  await expect(main(page).getByText('+1 415 555 2671 by WhatsApp')).toBeVisible();
  await expect(main(page).getByText('USA', { exact: true })).toBeVisible();
  await expect(main(page).getByRole('link', { name: 'Conversation' })).toHaveCount(0);
  await takeScreenshots(page, 'message-channel');
  await expectGoodView(page);
  await main(page).getByRole('link', { name: 'Record' }).click();
  await expect(main(page).getByText('+1 415 555 2671 by WhatsApp')).toBeVisible();

  // A code has no replies, so it is no conversation.
  await page.goto(`${stack.url}/dashboard/conversations?tab=all`);
  await expect(main(page).getByRole('heading', { name: 'Conversations' })).toBeVisible();
  await expect(main(page).getByRole('link', { name: /\+1 415 555 2671/ })).toHaveCount(0);

  // The palette finds them, too.
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').pressSequentially('Hello');
  await expect(page.getByRole('option', { name: /\+44 7911 123456 by voice call: Hello/ })).toBeVisible();
  await leave(page);
});
