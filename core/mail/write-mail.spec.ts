import type { MailContent } from './mail-content.js';
import { writeMail } from './write-mail.js';

const publicUrl = 'https://pennytext.test';
const welcome: MailContent = { kind: 'welcome', displayName: 'Ada', credits: 3 };
const receipt: MailContent = {
  kind: 'receipt',
  credits: 250,
  amountCents: 1_000,
  paidAt: '2026-11-21T03:04:05Z',
  receiptUrl: 'https://pay.stripe.test/receipts/1?a=1&b=2',
};

describe('writeMail', () => {
  it('welcomes by name, with the free credits and the way to the dashboard, in both parts', () => {
    const { subject, text, html } = writeMail(welcome, publicUrl);
    expect(subject).toBe('Welcome to Pennytext');
    for (const part of [text, html]) {
      expect(part).toContain('Welcome to Pennytext, Ada');
      expect(part).toContain('3 free credits');
      expect(part).toContain('https://pennytext.test/dashboard');
    }
  });

  it('writes a receipt with credits, dollars, New York time and the link to Stripe’s receipt', () => {
    const { subject, text, html } = writeMail(receipt, publicUrl);
    expect(subject).toBe('Your receipt: 250 credits for $10');
    for (const part of [text, html]) expect(part).toContain('11/20/2026, 10:04:05 PM (New York)');
    expect(text).toContain('View the receipt: https://pay.stripe.test/receipts/1?a=1&b=2\n');
    expect(html).toContain('href="https://pay.stripe.test/receipts/1?a=1&amp;b=2"');
  });

  it('leads to the billing history when there is no link to the receipt', () => {
    const { text } = writeMail({ ...receipt, receiptUrl: null }, publicUrl);
    expect(text).toContain('View the billing history: https://pennytext.test/dashboard');
  });

  it('shows a name as text, whatever is in it', () => {
    const { html, subject } = writeMail({ ...welcome, displayName: '<b>"A\'&' }, publicUrl);
    expect(html).toContain('Welcome to Pennytext, &lt;b&gt;&quot;A&#39;&amp;');
    expect(html).not.toContain('<b>');
    expect(subject).toBe('Welcome to Pennytext');
  });

  it('greets without a name when there is none', () => {
    expect(writeMail({ ...welcome, displayName: '' }, publicUrl).text).toMatch(/^Welcome to Pennytext\n/);
  });

  it.each([
    ['gone', 'answered 410 Gone'],
    ['failing', 'For five days every attempt has failed'],
  ] as const)('tells that a webhook is turned off, and why: %s', (reason, why) => {
    const { subject, text, html } = writeMail(
      { kind: 'webhook_disabled', host: 'hooks.example:8443', reason },
      publicUrl,
    );
    expect(subject).toBe('Your webhook is turned off');
    for (const part of [text, html]) {
      expect(part).toContain('hooks.example:8443');
      expect(part).toContain(why);
      expect(part).toContain('https://pennytext.test/dashboard');
    }
  });
});
