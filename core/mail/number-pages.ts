import { limits } from '#contract/limits.js';
import { newYorkTimestamp } from '../rules/time.js';
import type { MailPage } from './mail-page.js';
import { counted, numbered } from './mail-pages.js';

/** The facts of an email about a number of the account. Times are ISO 8601. */
export type NumberContent =
  /** `day`: days since the rent became due. */
  | {
      readonly kind: 'number_past_due';
      readonly numberId: string;
      readonly number: string;
      readonly credits: number;
      readonly day: number;
      readonly releasesAt: string;
    }
  /** `credits`: price of the purchase. */
  | {
      readonly kind: 'number_bought';
      readonly numberId: string;
      readonly number: string;
      readonly credits: number;
    }
  /** A release that was requested and takes effect later. */
  | {
      readonly kind: 'number_releasing';
      readonly numberId: string;
      readonly number: string;
      readonly releasesAt: string;
    }
  | { readonly kind: 'number_released'; readonly number: string; readonly reason: 'unpaid' | 'not_renewed' | 'owner' }
  | {
      readonly kind: 'number_filtered';
      readonly numberId: string;
      readonly number: string;
      readonly messages: number;
      readonly failed: number;
    };

const CONVERSATIONS = 'Its conversations stay in your account; replies to it do not arrive any more.';
const STRANGERS =
  'Texts of people whom you have never texted cost one credit each, up to the number a day that its page shows.';
const releaseTexts = {
  unpaid: `Its rent was not paid within ${limits.numberGraceDays} days.`,
  not_renewed: 'It was not to be renewed, and its last month is over.',
  owner: 'Its release was asked for, on the dashboard or with an API key.',
} as const;
const REASON = 'You received this email because you have a number of your own at Pennytext.';

/** Subject and page of an email about a number. */
export function numberPage(content: NumberContent, publicUrl: string): [string, MailPage] {
  const { heading, text, facts, label, path } = textsOf(content);
  return [
    heading,
    {
      heading,
      blocks: [
        { kind: 'text', text },
        { kind: 'facts', facts },
        { kind: 'button', label, url: `${publicUrl}${path}` },
      ],
      reason: REASON,
    },
  ];
}

interface NumberTexts {
  readonly heading: string;
  readonly text: string;
  readonly facts: readonly (readonly [string, string])[];
  readonly label: string;
  readonly path: string;
}

function textsOf(content: NumberContent): NumberTexts {
  const { number } = content;
  switch (content.kind) {
    case 'number_past_due':
      return {
        heading: content.day === 0 ? `The rent of ${number} is due` : `The rent of ${number} is still due`,
        text:
          'Your balance does not cover the next month of this number. It keeps working until the day below; then it ' +
          'is released, and you may not get it back. The rent is taken as soon as you have enough credits.',
        facts: [
          ['Number', number],
          ['Rent', `${counted(content.credits)} a month`],
          ['Released on', `${newYorkTimestamp(new Date(content.releasesAt))} (New York)`],
        ],
        label: 'Purchase Credits',
        path: '/dashboard/purchase',
      };
    case 'number_bought':
      return {
        heading: `${number} is yours`,
        text: `This number was bought for your account. If that was not you, revoke the key that did it. ${STRANGERS}`,
        facts: [
          ['Number', number],
          ['Paid', counted(content.credits)],
        ],
        label: 'View the number',
        path: `/dashboard/numbers/${content.numberId}`,
      };
    case 'number_releasing':
      return {
        heading: `${number} will be released`,
        text:
          'The release of this number was asked for, on the dashboard or with an API key. You can undo it until ' +
          'then. If it was not you, revoke the key as well. Afterwards you may not get the number back.',
        facts: [
          ['Number', number],
          ['Released on', `${newYorkTimestamp(new Date(content.releasesAt))} (New York)`],
        ],
        label: 'Keep the number',
        path: `/dashboard/numbers/${content.numberId}`,
      };
    case 'number_released':
      return {
        heading: `${number} was released`,
        text: `${releaseTexts[content.reason]} ${CONVERSATIONS}`,
        ...releasedTexts(number),
      };
    case 'number_filtered':
      return {
        heading: `Carriers filter messages from ${number}`,
        text:
          'Many messages from this number were refused for the number itself, so your pools do not use it for now. ' +
          'A message that names it is still sent. Look at what you send and who has agreed to it; put the number ' +
          'back into its pool when you have changed that.',
        facts: [
          ['Number', number],
          ['Messages within ten minutes', numbered(content.messages)],
          ['Refused for the number', numbered(content.failed)],
        ],
        label: 'View the number',
        path: `/dashboard/numbers/${content.numberId}`,
      };
  }
}

function releasedTexts(number: string): Omit<NumberTexts, 'heading' | 'text'> {
  return {
    facts: [
      ['Number', number],
      ['Kept for you', `${limits.numberRestDays} days: no other account of ours can buy it in that time`],
    ],
    label: 'View your numbers',
    path: '/dashboard/numbers',
  };
}
