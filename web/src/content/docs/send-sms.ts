import { limits } from '#contract/limits.js';
import { paths, type SampleLanguage, sampleLanguages, sendSmsPath } from '../../paths.js';
import { site } from '../../site.js';
import { accepted, acceptedWithReference, shown } from '../answers.js';
import { contactLink } from '../company.js';
import { bodyKibibytes } from '../facts.js';
import { code, exchange, list, type Page, sample, table } from '../page.js';
import { sampleFiles } from '../samples.js';

const { gsm7Characters: gsm7, ucs2Characters: ucs2 } = limits;

const jsonRequest = `POST ${site.url}/api/sendsms
Content-Type: application/json

{
  "to": "+12025550142",
  "message": "Hello from Pennytext",
  "apikey": "YOUR_API_KEY",
  "reference": "order-1042"
}`;

const formRequest = `POST ${site.url}/api/sendsms
Content-Type: application/x-www-form-urlencoded

to=%2B12025550142&message=Hello+from+Pennytext&apikey=YOUR_API_KEY`;

export const sendSms: Page = {
  path: paths.sendSms,
  title: 'Send an SMS using HTTP POST',
  description: 'The sendsms call: its fields, its answer, how numbers are written and how segments are counted.',
  intro: [
    `One POST to \`${site.url}/api/sendsms\` sends one message. The answer comes as soon as the message is stored and charged; it is handed to the carrier a moment later.`,
  ],
  sections: [
    {
      title: 'The request',
      blocks: [
        table(
          ['Field', 'Required', 'Description'],
          [
            ['`to`', 'yes', 'The phone number of the recipient.'],
            ['`message`', 'yes', `The text, at most ${limits.messageSegmentsMax} [segments](#segments).`],
            ['`apikey`', 'yes', 'Your API key. `Authorization: Bearer` may carry it instead.'],
            [
              '`reference`',
              'no',
              `Your own name for the message, up to ${limits.referenceCharactersMax} characters. It is stored with the message and returned in answers and webhooks.`,
            ],
            ['`encoding`', 'no', `\`auto\`, \`gsm7\` or \`smart\`: [encoding](${paths.prices}#encoding).`],
            ['`quote`', 'no', `The \`quote\` of an earlier [\`POST /api/quote\`](${paths.prices}#price-first).`],
            [
              '`dedupe`',
              'no',
              `Seconds, up to ${limits.dedupeSecondsMax}: [no duplicates](${paths.idempotency}#no-duplicates).`,
            ],
            [
              '`max_credits`',
              'no',
              `The highest price that you accept: [a highest price](${paths.prices}#a-highest-price).`,
            ],
            [
              '`send_at`',
              'no',
              `When the message leaves, with an offset, such as \`2026-12-01T09:30:00-05:00\`: ${limits.sendAtSecondsMin} seconds to ${limits.sendAtDaysMax} days from now. See [Send later](${paths.scheduling}#send-later).`,
            ],
            [
              '`validity`',
              'no',
              `Seconds, ${limits.validitySecondsMin} to ${limits.validitySecondsMax.toLocaleString('en-US')}. A message that the carrier does not have in time fails with \`expired\` and is refunded.`,
            ],
          ],
        ),
        exchange(
          code('Request as JSON', 'http', jsonRequest),
          code('Answer, HTTP 200', 'json', shown(acceptedWithReference)),
        ),
        exchange(
          code('Request as a form', 'http', formRequest),
          code('Answer to the form, HTTP 200', 'json', shown(accepted)),
        ),
        `[Response Received](${paths.response}) explains the fields of the answer. A body may have ${bodyKibibytes} KiB. Fields that are not listed are ignored.`,
        `A request may carry an \`Idempotency-Key\` header, so that it can be [sent again safely](${paths.idempotency}) if no answer arrives.`,
      ],
    },
    {
      title: 'Phone numbers',
      blocks: [
        'Write numbers with `+` and country code: `+12025550142`. Spaces, dashes, dots and parentheses are allowed. Numbers without `+` are treated as US numbers.',
        `The country of the number decides the price: [supported regions](${paths.regions}). Several countries share +1, and each has its own row: a Bahamian number is not a US number.`,
      ],
    },
    {
      title: 'Segments',
      blocks: [
        'The network carries a message in segments, each of which you pay for. How much fits into a segment depends on the characters:',
        table(
          ['Characters of the message', 'One segment', 'Each of several'],
          [
            ['GSM-7: letters A to Z, digits, common signs, some accented letters', `${gsm7.single}`, `${gsm7.part}`],
            [
              'UCS-2: with an emoji, another alphabet, or any other accented or special character',
              `${ucs2.single}`,
              `${ucs2.part}`,
            ],
          ],
        ),
        'One character outside GSM-7 makes the whole message UCS-2. A few characters of GSM-7 count twice: `^ { } \\ [ ~ ] | €`. Most emoji count twice, some more.',
        'Segments are counted on exactly the text that is sent; the answer contains the count.',
      ],
    },
    {
      title: 'More ways to send',
      blocks: [
        list(
          `[Send in bulk](${paths.bulk}): up to ${limits.bulkMessagesMax.toLocaleString('en-US')} messages with one request.`,
          `[Schedule and cancel](${paths.scheduling}): messages that leave later, and their cancellation.`,
          `[Quotes and prices](${paths.prices}): the price first, a highest price, and encodings that keep messages short.`,
          `[Named keys and budgets](${paths.keys}): a key for each program, with limits of its own.`,
        ),
      ],
    },
    {
      title: 'What is not sent',
      blocks: [
        list(
          `Messages with a URL, until your account is activated for URLs: write to ${contactLink}.`,
          'Messages with a shortened URL. Use the full one.',
          'Messages to someone who has replied STOP.',
          `Messages that the [Terms of Service](${paths.tos}) forbid. Recipients must have agreed to get your messages.`,
        ),
        `A rejection says why, and costs nothing: [errors](${paths.errors}).`,
      ],
    },
  ],
};

/** The page of one language: its program and the answer. */
export function sendSmsIn(language: SampleLanguage): Page {
  const title = sampleLanguages[language];
  return {
    path: sendSmsPath(language),
    title: `Send an SMS with ${title}`,
    description: `A complete ${title} program that sends a text message with one HTTP POST, and the answer it gets.`,
    intro: [sampleFiles[language].needs],
    sections: [
      {
        title: 'The program',
        blocks: [exchange(sample('send-sms', language), code('Answer', 'json', shown(accepted)))],
      },
      {
        title: 'Before it goes live',
        blocks: [
          list(
            `Try it with \`_test\` appended to the key: [everything is checked and nothing is sent](${paths.testing}).`,
            'Keep the key out of the program, for instance in an environment variable.',
            'Look at `success` in the answer. When it is `"false"`, `code` says why: [errors](' + paths.errors + ').',
            `Send an \`Idempotency-Key\`, so that a request whose answer was lost can be [sent again safely](${paths.idempotency}).`,
          ),
        ],
      },
    ],
  };
}
