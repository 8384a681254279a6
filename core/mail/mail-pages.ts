import { noticeKinds } from '#contract/account.js';
import { limits } from '#contract/limits.js';
import { dollars } from '#contract/packs.js';
import { newYorkTimestamp } from '../rules/time.js';
import type { MailPage } from './mail-page.js';

/** Facts of a notice about an account's security or money. `at` is ISO 8601. */
export type NoticeContent =
  | { readonly kind: 'new_device'; readonly device: string; readonly address: string; readonly at: string }
  | {
      readonly kind: 'key_changed';
      readonly change: 'rotated' | 'created';
      /**
       * The name of a key with limits, '' when it must not be shown; absent for the account's first
       * key.
       */
      readonly name?: string;
      /** True for the key of a connected product. */
      readonly isPlug?: boolean;
      readonly at: string;
    }
  | {
      readonly kind: 'webhook_changed';
      readonly change: 'url' | 'secret';
      /**
       * Null when receiving was turned off, or the secret changed; '' when it must not be shown.
       */
      readonly host: string | null;
      readonly at: string;
    }
  /** `failure`: the last call's HTTP status, or the reason for the missing answer. */
  | { readonly kind: 'webhook_failing'; readonly host: string; readonly since: string; readonly failure: string }
  | {
      readonly kind: 'payment_disputed';
      readonly amountCents: number;
      readonly credits: number;
      readonly reason: string;
    }
  | {
      readonly kind: 'password_changed';
      /**
       * `link`: by a link in an email; `takeover`: the same, for an address that was not verified.
       */
      readonly by: 'account' | 'link' | 'takeover';
      readonly address: string;
      readonly at: string;
    }
  | { readonly kind: 'delivery_suspended'; readonly recipients: number; readonly undelivered: number };

interface NoticeTexts {
  readonly subject: string;
  readonly text: string;
  readonly facts: readonly (readonly [string, string])[];
  /** Advice if another person did it. */
  readonly otherwise: string;
  readonly path: string;
  readonly label: string;
}

/** Subject and page of a notice: the event, and advice if the reader did not cause it. */
export function noticePage(content: NoticeContent, publicUrl: string): [string, MailPage] {
  const { subject, text, facts, otherwise, path, label } = textsOf(content);
  const page: MailPage = {
    heading: subject,
    blocks: [
      { kind: 'text', text },
      { kind: 'facts', facts },
      { kind: 'text', text: otherwise },
      { kind: 'button', label, url: `${publicUrl}${path}` },
    ],
    reason:
      `You received this email because ${causeOf(content)}.` +
      (canBeMuted(content) ? ' You can turn it off on the Account page.' : ''),
  };
  return [subject, page];
}

function causeOf({ kind }: NoticeContent): string {
  return kind === 'webhook_failing' ? 'your webhook is failing' : 'it concerns the safety of your account';
}

function canBeMuted({ kind }: NoticeContent): boolean {
  return noticeKinds.some((one) => one === kind);
}

const signedOut = {
  account: 'All other devices were signed out.',
  link: 'All devices were signed out.',
  takeover:
    'All devices were signed out. Your address had not been confirmed before, so the API key was ' +
    'replaced and the webhook turned off.',
} as const;

function textsOf(content: NoticeContent): NoticeTexts {
  switch (content.kind) {
    case 'new_device':
      return {
        subject: 'New sign-in to your account',
        text: 'A browser that was never used with your account before has signed in.',
        facts: [['Device', content.device], ['Network address', content.address], timeFact(content.at)],
        otherwise: 'If it was not you, sign out that device, replace your API key, and secure your sign-in.',
        path: '/dashboard/account',
        label: 'Review your devices',
      };
    case 'key_changed':
      return {
        ...keyTexts(content),
        path: '/dashboard/key',
        label: 'View your API keys',
      };
    case 'webhook_changed':
      return {
        subject: content.change === 'url' ? 'Your webhook was changed' : 'Your webhook has a new secret',
        text:
          content.change === 'secret'
            ? 'Events are signed with a new secret, and for a day with the old one too.'
            : content.host === null
              ? 'Replies and events are no longer sent anywhere.'
              : 'Replies and events now go to another address.',
        facts: [...(content.host ? [['Host', content.host] as const] : []), timeFact(content.at)],
        otherwise: 'If it was not you, sign out all other devices and set your own webhook again.',
        path: '/dashboard/webhook',
        label: 'View your webhook',
      };
    case 'webhook_failing':
      return {
        subject: 'Your webhook is failing',
        text:
          'No call of your webhook has succeeded since then. Each webhook is tried again for about three days; ' +
          'after five days without a success your webhook is turned off.',
        facts: [
          ...(content.host === '' ? [] : [['Host', content.host] as const]),
          ['Failing since', `${newYorkTimestamp(new Date(content.since))} (New York)`],
          ['Last failure', content.failure],
        ],
        otherwise: 'Repair your server, or set another URL. The dashboard shows every attempt and its answer.',
        path: '/dashboard/webhook',
        label: 'View the deliveries',
      };
    case 'payment_disputed':
      return {
        subject: 'A payment to Pennytext is disputed',
        text:
          'The bank reports that the card holder disputes a payment for credits of your account. ' +
          'Automatic top-up charges nothing until the dispute is won.',
        facts: [
          ['Amount', dollars(content.amountCents)],
          ['Credits', numbered(content.credits)],
          ['Reason', content.reason],
        ],
        otherwise: 'If this is a mistake, ask your bank to withdraw the dispute, or reply to this email.',
        path: '/dashboard/billing',
        label: 'View your payments',
      };
    case 'password_changed':
      return {
        subject: 'Your password was changed',
        text: signedOut[content.by],
        facts: [['Network address', content.address], timeFact(content.at)],
        otherwise: 'If it was not you, set a new password at once, then replace your API key.',
        path: '/forgot-password',
        label: 'Set a new password',
      };
    case 'delivery_suspended':
      return {
        subject: 'Your account can no longer send messages',
        text:
          `Most of your recipients were not reached within ${limits.suspensionHours} hours, so sending ` +
          'is suspended. Messages that are still waiting fail and are refunded.',
        facts: [
          ['Recipients', numbered(content.recipients)],
          ['Not reached', numbered(content.undelivered)],
        ],
        otherwise:
          'Remove numbers that do not exist from your list. The dashboard shows the details, and lets ' +
          'you lift a suspension once.',
        path: '/dashboard',
        label: 'Open the dashboard',
      };
  }
}

function keyTexts({ change, name, isPlug, at }: Extract<NoticeContent, { kind: 'key_changed' }>) {
  if (isPlug)
    return {
      subject: change === 'rotated' ? 'A connected product has a new secret' : 'A product was connected',
      text:
        change === 'rotated'
          ? `The old secret works for ${limits.plugOldSecretHours} hours.`
          : 'It sends messages from your account by an address and a secret of its own.',
      facts: [...(name ? [['Name', name] as const] : []), timeFact(at)],
      otherwise: 'If it was not you, sign out all other devices, then disconnect it under Connect at once.',
    };
  if (name === undefined)
    return {
      subject: change === 'rotated' ? 'Your API key was replaced' : 'An API key was created',
      text: 'Programs need the key that the dashboard shows now.',
      facts: [timeFact(at)],
      otherwise: 'If it was not you, sign out all other devices, then replace the key at once.',
    };
  return {
    subject: change === 'rotated' ? 'An API key has a new secret' : 'An API key was created',
    text: 'The secret was shown once, to the person who was signed in.',
    facts: [...(name === '' ? [] : [['Key', name] as const]), timeFact(at)],
    otherwise: 'If it was not you, sign out all other devices, then revoke this key at once.',
  };
}

function timeFact(at: string): readonly [string, string] {
  return ['Time', `${newYorkTimestamp(new Date(at))} (New York)`];
}

/** Facts of an email about credits and money that the owner has asked for. */
export type MoneyContent =
  | { readonly kind: 'credits_low'; readonly balance: number; readonly threshold: number }
  | {
      readonly kind: 'daily_spend';
      /** New York day, 'YYYY-MM-DD'. */
      readonly day: string;
      readonly spent: number;
      readonly threshold: number;
    }
  /** Times are ISO 8601; `reason` is the provider's code. */
  | {
      readonly kind: 'top_up_declined';
      readonly amountCents: number;
      readonly cardLast4: string;
      readonly reason: string;
      readonly retryAt: string;
    }
  | {
      readonly kind: 'top_up_confirm';
      readonly topUpId: string;
      readonly amountCents: number;
      readonly credits: number;
      readonly cardLast4: string;
      readonly confirmBy: string;
    }
  | { readonly kind: 'top_up_off'; readonly reason: 'declined' | 'not_confirmed'; readonly cardLast4: string }
  | { readonly kind: 'top_up_limit'; readonly perMonthMax: number };

const PURCHASE_PATH = '/dashboard/purchase';
const TOP_UP_REASON =
  'You received this email because automatic top-up is set up for your account. You can change it on ' +
  'the Purchase Credits page.';
const ALERT_REASON =
  'You received this email because you turned this alert on. You can change it on the Purchase Credits page.';

/** Subject and page of an email about credits and money. */
export function moneyPage(content: MoneyContent, publicUrl: string): [string, MailPage] {
  const url = `${publicUrl}${PURCHASE_PATH}`;
  switch (content.kind) {
    case 'credits_low': {
      const { balance, threshold } = content;
      const heading = `Your balance is ${counted(balance)}`;
      const facts = [
        ['Balance', counted(balance)],
        ['Your threshold', counted(threshold)],
      ] as const;
      const text = 'Your balance fell below your threshold. At 0 credits, messages are refused and replies wait.';
      return [
        heading,
        {
          heading,
          blocks: [
            { kind: 'text', text },
            { kind: 'facts', facts },
            { kind: 'button', label: 'Purchase Credits', url },
          ],
          reason: ALERT_REASON,
        },
      ];
    }
    case 'daily_spend': {
      const { day, spent, threshold } = content;
      const heading = `You used ${counted(spent)} today`;
      const facts = [
        ['Day (New York)', dayText(day)],
        ['Used so far, less refunds', counted(spent)],
        ['Your threshold', counted(threshold)],
      ] as const;
      const text = 'The credits used today reached your threshold. Sending continues; this alert is sent once a day.';
      const otherwise =
        'If this is unexpected, look at the sent messages, and replace or limit the API keys that you do not trust.';
      return [
        heading,
        {
          heading,
          blocks: [
            { kind: 'text', text },
            { kind: 'facts', facts },
            { kind: 'text', text: otherwise },
            { kind: 'button', label: 'View sent messages', url: `${publicUrl}/dashboard/messages` },
          ],
          reason: ALERT_REASON,
        },
      ];
    }
    case 'top_up_declined': {
      const { amountCents, cardLast4, reason, retryAt } = content;
      const facts = [
        ['Amount', dollars(amountCents)],
        cardFact(cardLast4),
        ['Reason', declineText(reason)],
        ['Next attempt', `${newYorkTimestamp(new Date(retryAt))} (New York)`],
      ] as const;
      const text =
        'Your balance is low, but your card was declined. You were not charged. Use another card, or ' +
        'buy a pack to continue at once.';
      return topUpPage('Your automatic top-up was declined', text, facts, 'Review the top-up', url);
    }
    case 'top_up_confirm': {
      const { topUpId, amountCents, credits, cardLast4, confirmBy } = content;
      const facts = [
        ['Amount', dollars(amountCents)],
        ['Credits', numbered(credits)],
        cardFact(cardLast4),
        ['Confirm until', `${newYorkTimestamp(new Date(confirmBy))} (New York)`],
      ] as const;
      const text =
        'Your bank wants you to confirm the payment for your automatic top-up. You are charged only ' +
        'after you have confirmed it. Until then your balance is not topped up.';
      return topUpPage('Please confirm your top-up', text, facts, 'Confirm the payment', `${url}?top_up=${topUpId}`);
    }
    case 'top_up_off': {
      const { reason, cardLast4 } = content;
      const why =
        reason === 'declined'
          ? 'Your card was declined several times in a row.'
          : 'The payment was not confirmed in time.';
      const text =
        `${why} You were not charged, and automatic top-up is off now. Turn it on again when your card ` +
        'works, or save another one.';
      return topUpPage('Automatic top-up is turned off', text, [cardFact(cardLast4)], 'Review the top-up', url);
    }
    case 'top_up_limit': {
      const { perMonthMax } = content;
      const text =
        'Your balance is below your threshold, but this month’s automatic top-ups are used up. You ' +
        'were not charged again. Raise the limit, or buy a pack.';
      const facts = [['Top-ups per month', String(perMonthMax)]] as const;
      return topUpPage('Your automatic top-up reached its limit', text, facts, 'Review the limit', url);
    }
  }
}

/** Formats '2026-03-05' as 'Mar 5, 2026'. */
function dayText(day: string): string {
  return new Date(day).toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
}

export function numbered(count: number): string {
  return count.toLocaleString('en-US');
}

/** Formats '1 credit', '2,500 credits'. */
export function counted(credits: number): string {
  return `${numbered(credits)} ${credits === 1 ? 'credit' : 'credits'}`;
}

function topUpPage(
  heading: string,
  text: string,
  facts: readonly (readonly [string, string])[],
  label: string,
  url: string,
): [string, MailPage] {
  const blocks = [
    { kind: 'text', text } as const,
    { kind: 'facts', facts } as const,
    { kind: 'button', label, url } as const,
  ];
  return [heading, { heading, blocks, reason: TOP_UP_REASON }];
}

function cardFact(last4: string): readonly [string, string] {
  return ['Card', `ending in ${last4}`];
}

const declineTexts: Readonly<Record<string, string>> = {
  insufficient_funds: 'The card has insufficient funds.',
  expired_card: 'The card has expired.',
  lost_card: 'The card was reported lost.',
  stolen_card: 'The card was reported stolen.',
  processing_error: 'The bank could not process the payment.',
};

/** Explains a decline code of the provider to the customer. */
export function declineText(code: string): string {
  return declineTexts[code] ?? 'The bank declined the payment.';
}
