import { limits } from '#contract/limits.js';
import { apiCallPath, paths } from '../paths.js';
import { contactLink } from './company.js';
import {
  dailyLimit,
  freeCredits,
  listed,
  localRent,
  mmsCredits,
  otpCountries,
  packOffers,
  tollFreeRent,
} from './facts.js';
import type { Markup } from './page.js';

export interface Question {
  readonly question: string;
  readonly answer: readonly Markup[];
}

const { gsm7Characters: gsm7, ucs2Characters: ucs2 } = limits;

/** Questions and answers in the order of the product specification. */
export const questions: readonly Question[] = [
  {
    question: 'What is Pennytext?',
    answer: [
      'A service with which your program sends and receives text messages. One HTTP POST sends a ' +
        'message; replies are posted to your webhook. You pay for messages with credits, and there is ' +
        'no subscription.',
    ],
  },
  {
    question: 'How do I get started?',
    answer: [
      `[Sign in with your Google account](${paths.login}). Your account gets an API key at once: your ` +
        `[dashboard](${paths.dashboard}) shows it, and can generate a new one.`,
      `Then copy a sample from the [documentation](${paths.docs}), put your key in, and run it.`,
    ],
  },
  {
    question: 'What does it cost?',
    answer: [
      `You buy credits in packs: ${listed(packOffers)}. A message costs its segments times the ` +
        `credits of the country it goes to: see [credits by country](${paths.regions}), and ` +
        `[pricing](${paths.pricing}) for what that is in dollars. One with [pictures](${paths.media}) costs ` +
        `${mmsCredits}, whatever it holds.`,
      `You need no number of your own. If you want [one](${paths.numbers}), it costs ${localRent} a month, and a ` +
        `toll-free one ${tollFreeRent}. Your first needs a paid purchase of credits.`,
      'A message that is not delivered is not charged: its credits are refunded automatically. Credits do not expire.',
    ],
  },
  {
    question: 'Is there a free trial?',
    answer: [
      `Every new user gets ${freeCredits}, no card required. They are given once per person: a second ` +
        'account of yours, or a new one after you deleted yours, starts with 0. In addition, [test ' +
        `keys](${paths.testing}) check your requests without sending or charging anything, as often as ` +
        'you like.',
    ],
  },
  {
    question: 'Is there a daily limit?',
    answer: [
      `A new account may send ${dailyLimit} messages a day; the day begins at midnight in New York. ` +
        `To have the limit raised, write to ${contactLink} and tell us what you send.`,
    ],
  },
  {
    question: 'Can I send messages all over the world?',
    answer: [
      `To every country that is active in the [table of regions](${paths.regions}), which also shows ` +
        'what a message to it costs, and which others are planned. You can use the service from anywhere.',
    ],
  },
  {
    question: 'Why did one message cost several credits?',
    answer: [
      'For one of two reasons. Messages to some countries cost more than 1 credit. And a long message ' +
        `has several segments, each of which is paid for: ${gsm7.single} plain characters fit into one, ` +
        `or ${ucs2.single} when the message has an emoji or other special characters; in longer ` +
        `messages each segment holds ${gsm7.part} or ${ucs2.part}.`,
      'The response to your request tells you how many segments and credits it was. [How segments are ' +
        `counted](${paths.sendSms}#segments).`,
    ],
  },
  {
    question: 'Can I receive messages?',
    answer: [
      'Yes, replies from people you have texted. Enter a webhook URL in your ' +
        `[dashboard](${paths.dashboard}), and every reply is posted to it: [receiving SMS ` +
        `replies](${paths.receiving}).`,
      `With a [number of your own](${paths.numbers}), you get whatever anyone writes to it, in your dashboard too ` +
        'and without a webhook URL.',
    ],
  },
  {
    question: 'Does a received message cost a credit?',
    answer: [
      'Yes, 1 credit. When your balance is 0, replies are held, and delivered once you have credits ' +
        'again. Without a webhook URL nothing is received and nothing is charged, except what is written to a ' +
        'number that you have bought.',
    ],
  },
  {
    question: 'Do you have a service for one-time passwords?',
    answer: [
      `Yes. One call sends a code, another verifies it. Sending costs ${limits.otpCredits} credit by SMS, ` +
        'verifying nothing. Where the operator offers it, a code that is not entered in time goes by WhatsApp, in a ' +
        `call or by email after that. It is available for numbers in ${otpCountries}: [GET ` +
        `/api/regions](${apiCallPath('regions')}) shows where, and where calls speak them. ` +
        `[OTP Verification](${paths.otp}).`,
    ],
  },
  {
    question: 'How do I get support?',
    answer: [`Write to ${contactLink}. If it is about a message, include its \`message_id\`; never send your API key.`],
  },
  {
    question: 'What happens to my data?',
    answer: [
      'We keep what the service needs: your name and email address from Google, your messages with ' +
        'their phone numbers, and your payments. Card details go to Stripe and never reach us. We sell ' +
        `no data. The details are in the [Privacy Policy](${paths.privacy}).`,
    ],
  },
];
