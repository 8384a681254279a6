import { limits } from '#contract/limits.js';
import { paths, type PlainLanguage, plainLanguages, sendSmsPath } from '../../paths.js';
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
  description: 'The sendsms call: its fields, its response, how to write numbers, and how segments are counted.',
  intro: [
    `One POST to \`${site.url}/api/sendsms\` sends one message. The response arrives as soon as the ` +
      'message is stored and charged; a moment later it goes to the carrier.',
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
            ['`apikey`', 'yes', 'Your API key, unless you send it as `Authorization: Bearer`.'],
            [
              '`reference`',
              'no',
              `Your own name for the message, up to ${limits.referenceCharactersMax} characters. It ` +
                'is stored with the message and returned in responses and webhooks.',
            ],
            [
              '`from`',
              'no',
              `A [number of your own](${paths.numbers}#send-from-it), or the id of one or of a pool. Without it, see ` +
                '[which number it comes from](#which-number-it-comes-from).',
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
              `When to send the message, with a UTC offset, as \`YYYY-MM-DDThh:mm:ss-05:00\`: ` +
                `${limits.sendAtSecondsMin} seconds to ${limits.sendAtDaysMax} days from now. See [Send ` +
                `later](${paths.scheduling}#send-later).`,
            ],
            [
              '`validity`',
              'no',
              `Seconds, ${limits.validitySecondsMin} to ` +
                `${limits.validitySecondsMax.toLocaleString('en-US')}. A message that has not reached ` +
                `the carrier by then fails with \`expired\` and is refunded.`,
            ],
            ['`media`', 'no', `Pictures and other files: [send pictures](${paths.media}).`],
            [
              '`delivery`, `hedge_seconds`',
              'no',
              '`once` or `fast`: [if a carrier does not deliver](#if-a-carrier-does-not-deliver).',
            ],
          ],
        ),
        exchange(
          code('Request as JSON', 'http', jsonRequest),
          code('Response, HTTP 200', 'json', shown(acceptedWithReference)),
        ),
        exchange(
          code('Request as a form', 'http', formRequest),
          code('Response to the form, HTTP 200', 'json', shown(accepted)),
        ),
        `[Response Received](${paths.response}) explains the fields of the response. Bodies can be up ` +
          `to ${bodyKibibytes} KiB. Unknown fields are ignored.`,
        `Add an \`Idempotency-Key\` header, so that you can [retry safely](${paths.idempotency}) if ` +
          'no response arrives.',
      ],
    },
    {
      title: 'If a carrier does not deliver',
      blocks: [
        'Where the service has several routes to a country, `delivery` decides what a doubt is worth to you:',
        table(
          ['`delivery`', 'When another route gets the message'],
          [
            [
              '`once`',
              'Only if the first one certainly did not take it, or reported a failure of its own. The default for ' +
                'messages: it never arrives twice.',
            ],
            [
              '`fast`',
              'Also when the answer of the first one was lost, or when nothing confirms the delivery within ' +
                `\`hedge_seconds\`, ${limits.hedgeSecondsMin} to ${limits.hedgeSecondsMax}; without it ` +
                `${limits.hedgeSecondsDefault}. The default for [one-time passwords](${paths.otp}): it may ` +
                'arrive twice, with the same code.',
            ],
          ],
        ),
        '`once` hands a message over at most three times, `fast` twice; for want of a receipt at most one in five of ' +
          'your messages of a New York day, one-time passwords apart, gets another route, unless the operator has ' +
          'set another share.',
        'A message is charged once, however often it is handed over, and refunded only when no route delivered it. ' +
          'A wrong number or a refused text ends it at once: no other route could deliver it. The ' +
          `[record](${paths.messageStatus}#the-record-of-a-message) of a message lists its routes and why each got it.`,
      ],
    },
    {
      title: 'Which number it comes from',
      blocks: [
        'From the one in `from`. Without `from`, from the number that the recipient knows from your latest message, ' +
          'otherwise from one of your default pool, otherwise from a number that several customers share.',
        'What people reply to a shared number does not come to you while another customer is talking with them: ' +
          `[which replies you get](${paths.receiving}#which-replies-you-get-and-what-they-cost). A [number of your ` +
          `own](${paths.numbers}) gets every reply.`,
      ],
    },
    {
      title: 'Phone numbers',
      blocks: [
        'Write numbers with `+` and country code: `+12025550142`. Spaces, dashes, dots and ' +
          'parentheses are allowed. Numbers without `+` are treated as US numbers.',
        list(
          'Digits of every script are read, and the invisible characters that pasting adds are ignored.',
          'A number that a table made a decimal, such as `491601234567.0`, is refused as `invalid_number`.',
          'In a form, encode `+` as `%2B`. A bare `+` at the beginning of a number is restored all the same.',
          'Only numbers that can be mobile are accepted: others get `number_type_unsupported`.',
        ),
        `The price depends on the country of the number: [supported regions](${paths.regions}). ` +
          'Several countries share +1, and each has its own row: a Bahamian number is not a US number.',
      ],
    },
    {
      title: 'How requests are read',
      blocks: [
        list(
          'The body is `application/json`, or `application/x-www-form-urlencoded` for every call but ' +
            `[bulks](${paths.bulk}). Another \`Content-Type\` is refused; \`detail\` names what to send.`,
          'Text is UTF-8. Bytes that are not are read in the charset that `Content-Type` declares, if it is ' +
            'ISO-8859-1 or windows-1252, and refused otherwise: a guessed text would be delivered garbled, and ' +
            'charged.',
          'A NUL character and half a surrogate pair are refused. A `%` that begins no escape stays as it is.',
          'JSON is nested at most 20 levels deep, with at most 120,000 values and 200 fields in one object.',
        ),
      ],
    },
    {
      title: 'Segments',
      blocks: [
        'Mobile networks carry a message in segments, and you pay for each of them. How much fits ' +
          'into a segment depends on the characters:',
        table(
          ['Characters of the message', 'One segment', 'Per segment when split'],
          [
            ['GSM-7: letters A to Z, digits, common signs, some accented letters', `${gsm7.single}`, `${gsm7.part}`],
            [
              'Unicode (UCS-2): with an emoji, another alphabet, or any other accented or special character',
              `${ucs2.single}`,
              `${ucs2.part}`,
            ],
          ],
        ),
        'One character outside GSM-7 makes the whole message Unicode (UCS-2). A few characters of GSM-7 count ' +
          'twice: `^ { } \\ [ ~ ] | €`. Most emoji count twice, some more.',
        'Segments are counted on exactly the text that is sent; the response contains the count.',
      ],
    },
    {
      title: 'More ways to send',
      blocks: [
        list(
          `[Send in bulk](${paths.bulk}): up to ${limits.bulkMessagesMax.toLocaleString('en-US')} ` +
            'messages with one request.',
          `[Schedule and cancel](${paths.scheduling}): send messages later, and cancel them.`,
          `[Quotes and prices](${paths.prices}): see the price first, cap it, and use encodings that ` +
            'keep messages short.',
          `[Named keys and budgets](${paths.keys}): one key per program, each with its own limits.`,
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
          `Messages that the [Terms of Service](${paths.tos}) forbid. Recipients must have agreed to ` +
            'get your messages.',
        ),
        `A rejected request tells you why, and costs nothing: [errors](${paths.errors}).`,
      ],
    },
  ],
};

/** The page of one language: its program and the answer. */
export function sendSmsIn(language: PlainLanguage): Page {
  const title = plainLanguages[language];
  return {
    path: sendSmsPath(language),
    title: `Send an SMS with ${title}`,
    description: `A complete ${title} program that sends a text message with one HTTP POST, and the response it gets.`,
    intro: [sampleFiles[language].needs],
    sections: [
      {
        title: 'The program',
        blocks: [exchange(sample('send-sms', language), code('Response', 'json', shown(accepted)))],
      },
      {
        title: 'Before it goes live',
        blocks: [
          list(
            `Try it with \`_test\` appended to the key: [everything is checked and nothing is sent](${paths.testing}).`,
            'Keep the key out of your code, for example in an environment variable.',
            'Check `success` in the response. When it is `"false"`, `code` tells you why: [errors](' +
              paths.errors +
              ').',
            `Send an \`Idempotency-Key\`, so that you can [retry safely](${paths.idempotency}) when a ` +
              'response is lost.',
          ),
        ],
      },
    ],
  };
}
