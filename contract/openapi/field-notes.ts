import { limits } from '../limits.js';
import type { Schema } from './document.js';

const { otpMinutesMin, otpMinutesMax, otpMinutesDefault, otpDigitsMin, otpDigitsMax, otpDigitsDefault } = limits;

const to = {
  description: 'The phone number of the recipient, with `+` and country code. Without `+` it is one of the USA.',
  required: true,
  keywords: { examples: ['+12025550142'] },
};
const apikey = {
  description:
    'Your API key; `Authorization: Bearer` may carry it instead. With `_test` behind it nothing is sent, stored or charged.',
};
const reference = {
  description: `Your own name for the message, up to ${limits.referenceCharactersMax} characters. It stands in answers and webhooks.`,
};
/** A form carries its numbers as text, so both are taken. */
const wholeNumber = (minimum: number, maximum: number, byDefault: number): Schema => ({
  type: ['integer', 'string', 'null'],
  minimum,
  maximum,
  default: byDefault,
});

export const success = { description: 'A string: `true` when the call did what it was asked for.' };

export const sendSmsBody = {
  to,
  message: {
    description: `The text, at most ${limits.messageSegmentsMax} segments.`,
    required: true,
    keywords: { examples: ['Hello from Pennytext'] },
  },
  apikey,
  reference,
};

export const sendOtpBody = {
  to: { ...to, description: `${to.description} One-time passwords go to the USA and Canada only.` },
  apikey,
  org: {
    description: 'Who sends the code: the text then begins with `Message from [org].` One line.',
    keywords: { type: ['string', 'null'], maxLength: limits.otpOrgCharactersMax } satisfies Schema,
  },
  limit: {
    description: 'How many minutes the code lives.',
    keywords: wholeNumber(otpMinutesMin, otpMinutesMax, otpMinutesDefault),
  },
  length: {
    description: 'How many digits the code has.',
    keywords: wholeNumber(otpDigitsMin, otpDigitsMax, otpDigitsDefault),
  },
  domain: {
    description: 'The host name of your site, such as `example.com`: phones then offer the code there alone.',
  },
  reference,
};

export const verifyOtpBody = {
  otp: {
    description: 'The code that the person typed, as text: it may begin with 0.',
    required: true,
    keywords: { examples: ['042117'] },
  },
  apikey,
  to: {
    description: 'The phone number the code was sent to. Always send it: a code alone could be another person’s.',
    keywords: { examples: ['+12025550142'] },
  },
};

export const acceptedAnswer = {
  success,
  message_id: {
    description: 'Our id of the message: `SM` and 32 hex digits.',
    keywords: { pattern: '^SM[0-9a-f]{32}$' },
  },
  segments: { description: 'How many segments the text has.' },
  credits: { description: 'What the message costs. A test key is not charged.' },
  reference: { description: 'The reference you sent, if any.' },
  test: { description: 'Present when the key was a test key: nothing was sent or charged.' },
};

export const verifyOtpAnswer = {
  status: { description: 'What may be said of the code.' },
  expires_at: { description: 'When the code ends or has ended, in UTC. Absent when no such code is known.' },
  attempts_left: {
    description: 'Wrong tries until the code dies; there when `to` was sent and a code for it is live.',
  },
};

export const messageView = {
  message_id: acceptedAnswer.message_id,
  to: { description: 'The recipient, in E.164.' },
  from: { description: 'The number it was sent from; `null` until the carrier has it.' },
  message: { description: 'The text. A one-time password is shown as asterisks.' },
  status: { description: 'How far it has come. The last three are final.' },
  segments: { description: 'How many segments the text has.' },
  credits: { description: 'What it cost.' },
  refunded: { description: 'How many of its credits have come back: all of them when it was not delivered.' },
  reference: { description: 'Your own name for it.' },
  error_code: { description: 'Why it was not delivered, in our words; `null` unless something went wrong.' },
  carrier_error: { description: 'The carrier’s number for the error.' },
  created_at: { description: 'When it was accepted, in UTC.' },
  sent_at: { description: 'When the carrier took it.' },
  finished_at: { description: 'When it reached its final status.' },
};

export const messagesAnswer = {
  success,
  messages: { description: 'Your messages, newest first.' },
  next_cursor: { description: 'Send it as `cursor` for the next page; `null` on the last.' },
};

export const balanceAnswer = {
  success,
  balance: { description: 'Credits left: `purchased` less `used`.' },
  purchased: { description: 'Credits that have come in.' },
  used: { description: 'Credits spent, less those that came back.' },
};

export const failureAnswer = {
  success: { description: 'A string: nothing was sent and nothing was charged.' },
  error: { description: 'The reason as text. Several reasons share one.' },
  code: { description: 'The reason for programs. It stays the same.' },
  detail: { description: 'The reason for people. Its words may change.' },
};
