import { dollars } from '#contract/packs.js';
import { newYorkTimestamp } from '../rules/new-york-time.js';
import type { MailContent } from './mail-content.js';
import { htmlMail, plainMail, type MailPage } from './mail-frame.js';
import type { OutgoingMail } from './mailer.js';

/** Writes an e-mail: subject, plain part and HTML part. `publicUrl` is where our pages are. */
export function writeMail(content: MailContent, publicUrl: string): Pick<OutgoingMail, 'subject' | 'text' | 'html'> {
  const [subject, page] = pageOf(content, publicUrl);
  return { subject, text: plainMail(page), html: htmlMail(page) };
}

function pageOf(content: MailContent, publicUrl: string): [string, MailPage] {
  switch (content.kind) {
    case 'welcome':
      return welcome(content, publicUrl);
    case 'receipt':
      return receipt(content, publicUrl);
    case 'webhook_disabled':
      return webhookDisabled(content, publicUrl);
  }
}

type Content<Kind extends MailContent['kind']> = Extract<MailContent, { kind: Kind }>;

function welcome({ displayName, credits }: Content<'welcome'>, publicUrl: string): [string, MailPage] {
  const page: MailPage = {
    heading: displayName ? `Welcome to Pennytext, ${displayName}` : 'Welcome to Pennytext',
    blocks: [
      { kind: 'text', text: `Your account is ready, with ${credits} free credits to send your first messages.` },
      {
        kind: 'text',
        text: 'Your API key is on the dashboard. One HTTP POST sends a message; the docs have it in your language.',
      },
      { kind: 'button', label: 'Open the dashboard', url: `${publicUrl}/dashboard` },
      { kind: 'text', text: `The documentation is at ${publicUrl}/docs.` },
    ],
    reason: 'You get this e-mail once, because an account was opened with your address.',
  };
  return ['Welcome to Pennytext', page];
}

function receipt(content: Content<'receipt'>, publicUrl: string): [string, MailPage] {
  const { credits, amountCents, paidAt, receiptUrl } = content;
  const amount = dollars(amountCents);
  const page: MailPage = {
    heading: `${credits} credits are on your account`,
    blocks: [
      { kind: 'text', text: 'Thank you. This was a one-time charge; nothing renews by itself.' },
      {
        kind: 'facts',
        facts: [
          ['Credits', String(credits)],
          ['Amount', amount],
          ['Date', `${newYorkTimestamp(new Date(paidAt))} (New York)`],
        ],
      },
      receiptUrl
        ? { kind: 'button', label: 'View the receipt', url: receiptUrl }
        : { kind: 'button', label: 'View the billing history', url: `${publicUrl}/dashboard` },
    ],
    reason: 'You get this e-mail because credits were bought for your account.',
  };
  return [`Your receipt: ${credits} credits for ${amount}`, page];
}

const whyDisabled = {
  gone: 'It answered 410 Gone, which says that it is not there any more.',
  failing: 'For five days every attempt has failed.',
};

function webhookDisabled({ host, reason }: Content<'webhook_disabled'>, publicUrl: string): [string, MailPage] {
  const page: MailPage = {
    heading: 'Your webhook is turned off',
    blocks: [
      { kind: 'text', text: `We have stopped calling your webhook at ${host}. ${whyDisabled[reason]}` },
      {
        kind: 'text',
        text: 'Messages are still received, and wait up to seven days for it. Mend it, then turn it on again or set another URL.',
      },
      { kind: 'button', label: 'Open the dashboard', url: `${publicUrl}/dashboard` },
    ],
    reason: 'You get this e-mail because your account has a webhook.',
  };
  return ['Your webhook is turned off', page];
}
