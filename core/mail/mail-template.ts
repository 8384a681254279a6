import { dollars } from '#contract/packs.js';
import { newYorkTimestamp } from '../rules/time.js';
import type { OutgoingMail } from './mailer.js';
import { counted, type MoneyContent, moneyPage, type NoticeContent, noticePage, numbered } from './mail-pages.js';
import type { MailPage, MailBlock } from './mail-page.js';
import { type NumberContent, numberPage } from './number-pages.js';
import { escapedHtml } from '../rules/html.js';

/** The facts of an email, stored until it is rendered. */
export type MailContent =
  | { readonly kind: 'welcome'; readonly displayName: string; readonly credits: number }
  | {
      readonly kind: 'receipt';
      readonly credits: number;
      readonly amountCents: number;
      /** ISO 8601. */
      readonly paidAt: string;
      readonly receiptUrl: string | null;
      /** Bought by automatic top-up. */
      readonly isAutomatic: boolean;
    }
  | { readonly kind: 'webhook_disabled'; readonly host: string; readonly reason: 'gone' | 'failing' }
  | {
      readonly kind: 'account_deletion';
      /** ISO 8601. */
      readonly deleteAt: string;
    }
  | { readonly kind: 'verify_email'; readonly expiresAt: string }
  | {
      readonly kind: 'reset_password';
      /** ISO 8601. */
      readonly expiresAt: string;
      /**
       * The address is not verified, so a new password also replaces the credentials of an earlier
       * holder.
       */
      readonly takesOver: boolean;
    }
  /** A new password was requested for an account without a password. */
  | { readonly kind: 'google_reminder' }
  | MoneyContent
  | NoticeContent
  | NumberContent;

/**
 * Renders subject, plain text part and HTML part of an email. `publicUrl` is the base URL of our
 * pages, `token` the secret of a link.
 */
export function renderMail(
  content: MailContent,
  publicUrl: string,
  token = '',
): Pick<OutgoingMail, 'subject' | 'text' | 'html'> {
  const [subject, page] = pageOf(content, publicUrl, token);
  return { subject, text: plainMail(page), html: htmlMail(page, publicUrl) };
}

function pageOf(content: MailContent, publicUrl: string, token: string): [string, MailPage] {
  switch (content.kind) {
    case 'welcome':
      return welcome(content, publicUrl);
    case 'receipt':
      return receipt(content, publicUrl);
    case 'webhook_disabled':
      return webhookDisabled(content, publicUrl);
    case 'new_device':
    case 'key_changed':
    case 'webhook_changed':
    case 'webhook_failing':
    case 'payment_disputed':
    case 'password_changed':
    case 'delivery_suspended':
      return noticePage(content, publicUrl);
    case 'credits_low':
    case 'daily_spend':
    case 'top_up_declined':
    case 'top_up_confirm':
    case 'top_up_off':
    case 'top_up_limit':
      return moneyPage(content, publicUrl);
    case 'number_past_due':
    case 'number_bought':
    case 'number_releasing':
    case 'number_released':
    case 'number_filtered':
      return numberPage(content, publicUrl);
    case 'account_deletion':
      return accountDeletion(content, publicUrl);
    case 'verify_email':
      return verifyEmail(content, `${publicUrl}/dashboard/account?verify=${token}`);
    case 'reset_password':
      return resetPassword(content, `${publicUrl}/reset-password#${token}`);
    case 'google_reminder':
      return googleReminder(publicUrl);
  }
}

type Content<Kind extends MailContent['kind']> = Extract<MailContent, { kind: Kind }>;

function readyText(credits: number): string {
  return `Your account is ready and has ${credits} free credits for your first messages.`;
}

const NO_FREE_CREDITS =
  'Your account is ready. Free credits are given once per person, and you have had them with another ' +
  'account, so this one starts with 0 credits.';

function welcome({ displayName, credits }: Content<'welcome'>, publicUrl: string): [string, MailPage] {
  const page: MailPage = {
    heading: displayName ? `Welcome to Pennytext, ${displayName}` : 'Welcome to Pennytext',
    blocks: [
      { kind: 'text', text: credits > 0 ? readyText(credits) : NO_FREE_CREDITS },
      {
        kind: 'text',
        text:
          'Your API key is on the dashboard. One HTTP POST sends a message; the docs have examples in ' +
          'your language.',
      },
      { kind: 'button', label: 'Open the dashboard', url: `${publicUrl}/dashboard` },
      { kind: 'text', text: `The documentation is at ${publicUrl}/docs.` },
    ],
    reason: 'You received this email because an account was created with your address.',
  };
  return ['Welcome to Pennytext', page];
}

const oneTimeText = 'Thank you for your purchase. This was a one-time charge; nothing renews automatically.';
const topUpText =
  'Your balance fell below your threshold, so your saved card was charged. You can change or turn off ' +
  'automatic top-up on the Purchase Credits page.';

function receipt(content: Content<'receipt'>, publicUrl: string): [string, MailPage] {
  const { credits, amountCents, paidAt, receiptUrl } = content;
  const amount = dollars(amountCents);
  const page: MailPage = {
    heading: `We added ${counted(credits)} to your account`,
    blocks: [
      { kind: 'text', text: content.isAutomatic ? topUpText : oneTimeText },
      {
        kind: 'facts',
        facts: [
          ['Credits', numbered(credits)],
          ['Amount', amount],
          ['Date', `${newYorkTimestamp(new Date(paidAt))} (New York)`],
        ],
      },
      receiptUrl
        ? { kind: 'button', label: 'View the receipt', url: receiptUrl }
        : { kind: 'button', label: 'View the billing history', url: `${publicUrl}/dashboard/billing` },
    ],
    reason: 'You received this email because credits were bought for your account.',
  };
  return [`Your receipt: ${counted(credits)} for ${amount}`, page];
}

const disabledReasons = {
  gone: 'It responded with 410 Gone, which means that it no longer exists.',
  failing: 'Every attempt has failed for five days.',
};

function webhookDisabled({ host, reason }: Content<'webhook_disabled'>, publicUrl: string): [string, MailPage] {
  const place = host === '' ? 'your webhook' : `your webhook at ${host}`;
  const page: MailPage = {
    heading: 'Your webhook is turned off',
    blocks: [
      { kind: 'text', text: `We stopped sending events to ${place}. ${disabledReasons[reason]}` },
      {
        kind: 'text',
        text: 'We keep new events for up to seven days. Fix your webhook and turn it on again, or set another URL.',
      },
      { kind: 'button', label: 'Open the webhook settings', url: `${publicUrl}/dashboard/webhook` },
    ],
    reason: 'You received this email because your account has a webhook.',
  };
  return ['Your webhook is turned off', page];
}

function accountDeletion({ deleteAt }: Content<'account_deletion'>, publicUrl: string): [string, MailPage] {
  const page: MailPage = {
    heading: 'Your account will be deleted',
    blocks: [
      { kind: 'text', text: 'You asked us to delete your account. Until then it works as before.' },
      { kind: 'facts', facts: [['Deleted on', `${newYorkTimestamp(new Date(deleteAt))} (New York)`]] },
      {
        kind: 'text',
        text:
          'Then your messages, numbers and keys are erased, and unused credits are lost. If you change ' +
          'your mind, or did not ask for this, keep the account before that date and sign out all other ' +
          'devices.',
      },
      { kind: 'button', label: 'Keep my account', url: `${publicUrl}/dashboard/account` },
    ],
    reason: 'You received this email because the deletion of your account was requested.',
  };
  return ['Your account will be deleted', page];
}

function verifyEmail({ expiresAt }: Content<'verify_email'>, url: string): [string, MailPage] {
  const page: MailPage = {
    heading: 'Confirm your email address',
    blocks: [
      { kind: 'text', text: 'Confirm that this address is yours, so that no one else can use it for an account.' },
      { kind: 'button', label: 'Confirm my address', url },
      { kind: 'facts', facts: [validUntil(expiresAt)] },
      { kind: 'text', text: 'The link works once, in a browser that is signed in to the account.' },
      {
        kind: 'text',
        text:
          'If you did not sign up, another person entered your address. Ignore this email, or take the ' +
          'account over with “Forgot your password?” on the login page.',
      },
    ],
    reason: 'You received this email because an account was created with your address.',
  };
  return ['Confirm your email address', page];
}

function resetPassword({ expiresAt, takesOver }: Content<'reset_password'>, url: string): [string, MailPage] {
  const page: MailPage = {
    heading: 'Set a new password',
    blocks: [
      { kind: 'text', text: 'A new password was requested for your account. Setting one signs out all devices.' },
      ...(takesOver ? [{ kind: 'text', text: takeOverText } as const] : []),
      { kind: 'button', label: 'Set a new password', url },
      { kind: 'facts', facts: [validUntil(expiresAt)] },
      {
        kind: 'text',
        text: 'The link works once. If you did not request it, ignore this email: your password stays as it is.',
      },
    ],
    reason: 'You received this email because a new password was requested for your address.',
  };
  return ['Set a new password', page];
}

const takeOverText =
  'Your address was never confirmed, so another person may have created this account. A new password ' +
  'confirms the address, replaces the API key, and turns the webhook off.';

function googleReminder(publicUrl: string): [string, MailPage] {
  const page: MailPage = {
    heading: 'Your account signs in with Google',
    blocks: [
      {
        kind: 'text',
        text:
          'A new password was requested for your account. It has none, because you sign in with Google. ' +
          'Nothing was changed.',
      },
      { kind: 'button', label: 'Sign in with Google', url: `${publicUrl}/login` },
    ],
    reason: 'You received this email because a new password was requested for your address.',
  };
  return ['Your account signs in with Google', page];
}

function validUntil(expiresAt: string): readonly [string, string] {
  return ['Valid until', `${newYorkTimestamp(new Date(expiresAt))} (New York)`];
}

/** The plain text part: the content of the HTML part in the same order. */
function plainMail({ heading, blocks, reason }: MailPage): string {
  return `${[heading, ...blocks.map(plainBlock), '--\nPennytext', reason].join('\n\n')}\n`;
}

function plainBlock(block: MailBlock): string {
  if (block.kind === 'text') return block.text;
  if (block.kind === 'button') return `${block.label}: ${block.url}`;
  return block.facts.map(([name, value]) => `${name}: ${value}`).join('\n');
}

const font = `font-family:'Bricolage Grotesque',Inter,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif`;

/**
 * The HTML part, with tables and inline styles because email clients support little else. The mark
 * is the icon of our pages: mail clients show neither SVG nor data URLs.
 */
function htmlMail({ heading, blocks, reason }: MailPage, publicUrl: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light">
<title>${escapedHtml(heading)}</title>
</head>
<body style="margin:0;background:#FAF7F2;color:#1C1917">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#FAF7F2;${font}">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px">
<tr><td style="padding:0 8px 16px;font-size:18px;font-weight:700;color:#A8481C">\
<img src="${escapedHtml(publicUrl)}/apple-touch-icon.png" width="24" height="24" alt="" \
style="border-radius:6px;vertical-align:middle"> Pennytext</td></tr>
<tr><td style="background:#FFFFFF;border:1px solid #E7E1D8;border-top:4px solid #A8481C;\
border-radius:10px;padding:32px">
<h1 style="margin:0 0 16px;font-size:25px;line-height:1.25;color:#1C1917">${escapedHtml(heading)}</h1>
${blocks.map(htmlBlock).join('\n')}
</td></tr>
<tr><td style="padding:16px 8px;font-size:13px;line-height:1.5;color:#6B625A">${escapedHtml(reason)}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

const buttonStyle =
  'display:inline-block;background:#A8481C;color:#FFFFFF;font-size:16px;font-weight:600;' +
  'text-decoration:none;padding:12px 24px;border-radius:8px';
const cellStyle = 'padding:10px 0;border-bottom:1px solid #E7E1D8';

function htmlBlock(block: MailBlock): string {
  if (block.kind === 'text')
    return `<p style="margin:0 0 16px;font-size:16px;line-height:1.6;color:#1C1917">${escapedHtml(block.text)}</p>`;
  if (block.kind === 'button')
    return (
      `<p style="margin:24px 0 8px"><a href="${escapedHtml(block.url)}" style="${buttonStyle}">` +
      `${escapedHtml(block.label)}</a></p>`
    );
  const rows = block.facts.map(
    ([name, value]) =>
      `<tr><td style="${cellStyle};color:#6B625A">${escapedHtml(name)}</td>` +
      `<td align="right" style="${cellStyle};font-weight:600;color:#1C1917">${escapedHtml(value)}</td></tr>`,
  );
  const table =
    '<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 16px;font-size:16px">';
  return `${table}${rows.join('')}</table>`;
}
