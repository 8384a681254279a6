import { paths } from '../paths.js';
import { contactLink } from './company.js';
import type { Markup } from './page.js';

/** A few paragraphs about the company. */
export const aboutUs: readonly Markup[] = [
  'Pennytext is for developers and small businesses who want to send a text message from a program, ' +
    'and to pay for that message and nothing else. No subscription, no contract, no minimum: you buy ' +
    'credits, and each message uses a few.',
  'The API is one HTTP POST, because most programs need no more. What we care about is what happens ' +
    'behind it: a message is charged once and sent once, even when a machine fails midway; a message ' +
    'that is not delivered is not charged; and you can look up every credit that ever moved.',
  'Messages travel through telephone carriers, payments through Stripe. If you need something that is not here, ' +
    `or something goes wrong, write to ${contactLink}: a person answers.`,
];

export interface Milestone {
  readonly date: string;
  readonly what: string;
  readonly isDone: boolean;
}

const done = (date: string, what: string): Milestone => ({ date, what, isDone: true });
const planned = (date: string, what: string): Milestone => ({ date, what, isDone: false });

/** The roadmap from the product specification. */
export const roadmap: readonly Milestone[] = [
  done('Nov 2024', 'Launch in USA and Canada'),
  done('Jan 2025', 'India, Germany, UK, Thailand, Australia, Spain, Portugal, Italy, Poland'),
  done('Feb 2025', 'Denmark, Ireland, Luxembourg'),
  done('Mar 2025', 'Receiving SMS'),
  done('May 2025', 'OTP service'),
  planned('Jun 2025', 'Dedicated business phone numbers'),
  planned('Sep 2025', 'Faster delivery'),
  planned('Nov 2025', 'MMS'),
  planned('Dec 2025', '30+ countries'),
];

/** Lists the built parts of the roadmap, which itself stays as specified. */
export const builtSince: Markup =
  `The roadmap is as it was first announced. Built since: [phone numbers of your own](${paths.numbers}), ` +
  `alone or in pools; [pictures and other files](${paths.media}) (MMS) in messages and replies; and faster ` +
  `delivery, which [tries another route](${paths.sendSms}#if-a-carrier-does-not-deliver) when one is slow. ` +
  `The countries that are served now are in the [list of regions](${paths.regions}).`;

export const legalWords: Markup =
  `What we do with data is in the [Privacy Policy](${paths.privacy}), what we agree on with you in the ` +
  `[Terms of Service](${paths.tos}).`;
