import { renderMail, type MailContent } from './mail-template.js';

const publicUrl = 'https://pennytext.test';
const welcome: MailContent = { kind: 'welcome', displayName: 'Ada', credits: 3 };
const receipt: MailContent = {
  kind: 'receipt',
  credits: 250,
  amountCents: 1_000,
  paidAt: '2026-11-21T03:04:05Z',
  receiptUrl: 'https://pay.stripe.test/receipts/1?a=1&b=2',
  isAutomatic: false,
};

describe('renderMail', () => {
  it('welcomes by name in both parts, with the free credits and a link to the dashboard', () => {
    const { subject, text, html } = renderMail(welcome, publicUrl);
    expect(subject).toBe('Welcome to Pennytext');
    for (const part of [text, html]) {
      expect(part).toContain('Welcome to Pennytext, Ada');
      expect(part).toContain('3 free credits');
      expect(part).toContain('https://pennytext.test/dashboard');
    }
  });

  it('renders a receipt with credits, dollars, New York time and a link to Stripe’s receipt', () => {
    const { subject, text, html } = renderMail(receipt, publicUrl);
    expect(subject).toBe('Your receipt: 250 credits for $10');
    for (const part of [text, html]) expect(part).toContain('11/20/2026, 10:04:05 PM (New York)');
    expect(text).toContain('View the receipt: https://pay.stripe.test/receipts/1?a=1&b=2\n');
    expect(html).toContain('href="https://pay.stripe.test/receipts/1?a=1&amp;b=2"');
  });

  it('links to the billing history when Stripe has no receipt link', () => {
    const { text } = renderMail({ ...receipt, receiptUrl: null }, publicUrl);
    expect(text).toContain('View the billing history: https://pennytext.test/dashboard/billing');
  });

  it('escapes HTML in a name', () => {
    const { html, subject } = renderMail({ ...welcome, displayName: '<b>"A\'&' }, publicUrl);
    expect(html).toContain('Welcome to Pennytext, &lt;b&gt;&quot;A&#39;&amp;');
    expect(html).not.toContain('<b>');
    expect(subject).toBe('Welcome to Pennytext');
  });

  it('greets without a name when the account has none', () => {
    expect(renderMail({ ...welcome, displayName: '' }, publicUrl).text).toMatch(/^Welcome to Pennytext\n/);
  });

  it.each([
    ['gone', 'responded with 410 Gone'],
    ['failing', 'Every attempt has failed for five days'],
  ] as const)('explains why a webhook was turned off: %s', (reason, explanation) => {
    const { subject, text, html } = renderMail(
      { kind: 'webhook_disabled', host: 'hooks.example:8443', reason },
      publicUrl,
    );
    expect(subject).toBe('Your webhook is turned off');
    for (const part of [text, html]) {
      expect(part).toContain('hooks.example:8443');
      expect(part).toContain(explanation);
      expect(part).toContain('https://pennytext.test/dashboard');
    }
  });

  it('puts the token of a link into its address, and when it ends', () => {
    const expiresAt = '2026-11-29T05:00:00.000Z';
    const verify = renderMail({ kind: 'verify_email', expiresAt }, publicUrl, 'tok-1');
    expect(verify.subject).toBe('Confirm your email address');
    expect(verify.text).toContain(`${publicUrl}/dashboard/account?verify=tok-1\n`);
    const reset = renderMail({ kind: 'reset_password', expiresAt, takesOver: false }, publicUrl, 'tok-2');
    expect(reset.subject).toBe('Set a new password');
    expect(reset.text).toContain(`${publicUrl}/reset-password#tok-2\n`);
    for (const { text } of [verify, reset]) expect(text).toContain('Valid until: 11/29/2026, 12:00:00 AM (New York)');
    expect(reset.text).not.toContain('API key');
  });

  it('warns that a new password takes over an account whose address was never confirmed', () => {
    const content = { kind: 'reset_password', expiresAt: '2026-11-29T05:00:00.000Z', takesOver: true } as const;
    expect(renderMail(content, publicUrl, 'tok').text).toContain('replaces the API key, and turns the webhook off');
  });

  it('reminds a person without a password of Google', () => {
    const { text } = renderMail({ kind: 'google_reminder' }, publicUrl);
    expect(text).toContain(`Sign in with Google: ${publicUrl}/login`);
  });
});
