import type { AlertsAnswer } from '#contract/billing.js';
import { renderMail, type MailContent } from '#core/mail/mail-template.js';
import { createTestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { TestBrowser } from '../testing/browser.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const PATH = '/api/dashboard/alerts';

describe('/api/dashboard/alerts', () => {
  let bed: TestBed;
  let server: TestServer;
  let browser: TestBrowser;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(bed.config());
    browser = await TestBrowser.signedIn(server, (await createTestAccount(server)).id);
  });

  afterAll(async () => {
    await server?.close();
    await bed?.remove();
  });

  it('are off until they are turned on, and stay as saved', async () => {
    const off: AlertsAnswer = { lowCreditsMail: false, lowCredits: 10, dailySpend: null, spentToday: 0 };
    expect((await browser.get(PATH)).json()).toEqual(off);
    const alerts = { lowCreditsMail: true, lowCredits: 25, dailySpend: 500 };
    expect((await browser.call('PUT', PATH, alerts)).json()).toEqual({ ...alerts, spentToday: 0 });
    expect((await browser.get(PATH)).json()).toEqual({ ...alerts, spentToday: 0 });
    const webhook = (await browser.get('/api/dashboard/webhook')).json<{ lowCredits: number }>();
    expect(webhook.lowCredits).toBe(25);
  });

  it.each([
    { lowCreditsMail: true, lowCredits: 0, dailySpend: null },
    { lowCreditsMail: true, lowCredits: 1_000_001, dailySpend: null },
    { lowCreditsMail: true, lowCredits: 10, dailySpend: 0 },
    { lowCreditsMail: true, lowCredits: 10, dailySpend: 1.5 },
    { lowCreditsMail: 'yes', lowCredits: 10, dailySpend: null },
    {},
  ])('refuse %j', async (body) => {
    expect((await browser.call('PUT', PATH, body)).statusCode).toBe(400);
  });

  it('need a session', async () => {
    expect((await new TestBrowser(server).get(PATH)).statusCode).toBe(401);
  });

  it.each<[MailContent, string, string]>([
    [{ kind: 'credits_low', balance: 1, threshold: 50 }, 'Your balance is 1 credit', 'Your threshold: 50 credits'],
    [
      { kind: 'daily_spend', day: '2026-11-22', spent: 5_012, threshold: 5_000 },
      'You used 5,012 credits today',
      'Day (New York): Nov 22, 2026',
    ],
  ])('send emails that name the figures and where to change them: %j', (content, subject, words) => {
    const mail = renderMail(content, 'https://pennytext.test');
    expect(mail.subject).toBe(subject);
    expect(mail.text).toContain(words);
    expect(mail.text).toContain('because you turned this alert on');
    expect(mail.text).toMatch(/https:\/\/pennytext\.test\/dashboard\//);
  });
});
