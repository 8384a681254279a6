import { limits } from '#contract/limits.js';
import { servedRegions } from '#contract/examples.js';
import { paths } from '../../paths.js';
import { site } from '../../site.js';
import { acceptedSmart, deduplicated, accepted, quoted, quotedBulk, quotedOtp, refusal, shown } from '../answers.js';
import { count } from '../facts.js';
import { code, exchange, list, type Page, inEveryLanguage, table } from '../page.js';

const otpRequest = `curl ${site.url}/api/quote \\
  --data-urlencode to='+12025550142' \\
  --data-urlencode channels='sms,voice' \\
  --data-urlencode apikey='YOUR_API_KEY'`;

export const prices: Page = {
  path: paths.prices,
  title: 'Quotes and prices',
  description: 'Know the price before you send: quotes, max_credits, encodings that keep messages short, and dedupe.',
  intro: [
    `A message costs its [segments](${paths.sendSms}#segments) times the credits of [its ` +
      `country](${paths.regions}); one with [pictures](${paths.media}) costs ${limits.mmsCreditsDefault} ` +
      'credits. These request fields keep you in control of the price.',
  ],
  sections: [
    {
      title: 'Price first',
      blocks: [
        '`POST /api/quote` takes the fields of `sendsms` or `sendbulk` and returns the price. Nothing ' +
          'is sent or charged:',
        exchange(inEveryLanguage('quote'), code('Response with the quote, HTTP 200', 'json', shown(quoted))),
        list(
          '`unsupported_characters` are the first characters that make the message Unicode (UCS-2): often a ' +
            'curly quote or an emoji.',
          '`balance_after` is `null` if your balance does not cover the price.',
        ),
        `Send \`quote\` with the same recipient and text within ${limits.quoteMinutes} minutes: the ` +
          'message then costs at most what was quoted, even if the price has risen since.',
        exchange(inEveryLanguage('send-quoted'), code('Response, HTTP 200', 'json', shown(accepted))),
        'For a bulk, the quote covers the total:',
        code('Response with the quote of a bulk, HTTP 200', 'json', shown(quotedBulk)),
        'With `partial`, it lists the messages that the balance does not cover too, and `credits` is the price of ' +
          'the others. If more of them can be sent at the time of the call, each costs at most its price at the ' +
          'time of the quote.',
      ],
    },
    {
      title: 'Price of a one-time password',
      blocks: [
        `A [code by several channels](${paths.otp}#channels-in-order) costs what the channels cost that are tried. ` +
          '`POST /api/quote` with the body of `sendotp` returns the price of each of its `channels` in order, of the ' +
          'first as `credits`, and of all together as `credits_max`:',
        exchange(
          code('Curl: The price of a code', 'bash', otpRequest),
          code('Response with the price of a code, HTTP 200', 'json', shown(quotedOtp)),
        ),
        'It has no `quote`, because nothing holds this price: send `credits_max` as `max_credits` with the code, ' +
          'which is then refused if the channels have become dearer. `balance_after` is what is left if every ' +
          'channel is tried. The key needs the scope `otp`. The fraud guard, the daily limit and your balance do not ' +
          'refuse the price.',
      ],
    },
    {
      title: 'Countries',
      blocks: [
        '`GET /api/regions` has the countries that messages can be sent to now, the credits of a segment, and ' +
          'whether one-time passwords are sent (`otp`) and spoken in calls (`voice`) there. It needs no API key:',
        exchange(
          code('Curl: The countries', 'bash', `curl ${site.url}/api/regions`),
          code('The countries, shortened, HTTP 200', 'json', shown(servedRegions)),
        ),
        'Prices and countries can change. Messages follow within two seconds; a quote keeps its price until it ' +
          'expires.',
      ],
    },
    {
      title: 'A highest price',
      blocks: [
        'Without a quote, `max_credits` protects you: a message that costs more is refused, and ' +
          'nothing is charged. In a bulk it applies to the total.',
        exchange(
          inEveryLanguage('send-capped'),
          code(
            'Response, HTTP 409',
            'json',
            shown(
              refusal('price_above_max', 'The price is 5 credits, more than "max_credits", 2. You were not charged.'),
            ),
          ),
        ),
      ],
    },
    {
      title: 'Encoding',
      blocks: [
        'A single curly quote, as word processors insert them, makes a whole message Unicode (UCS-2), and it ' +
          'may cost twice as much. `encoding` decides what happens then:',
        table(
          ['`encoding`', 'What happens'],
          [
            [
              '`auto`',
              'The default: the text is sent as it is, in GSM-7 if it contains every character, else in Unicode ' +
                '(UCS-2).',
            ],
            [
              '`gsm7`',
              'A text that GSM-7 cannot hold is refused with `encoding_unsupported`. `detail` names ' +
                'the characters, and nothing is charged.',
            ],
            [
              '`smart`',
              'Typographic quotes, dashes, bullets, spaces and ellipses become plain ones, and ' +
                'invisible characters are removed. Emoji and other alphabets stay as they are, with the invisible ' +
                'characters that change how they are read. A text of more than ' +
                `${count(limits.textCharactersMax)} UTF-16 units is refused as too long.`,
            ],
          ],
        ),
        exchange(
          inEveryLanguage('send-smart'),
          code('Response with plain quotes, HTTP 200', 'json', shown(acceptedSmart)),
        ),
        'The answer’s `encoding` is the one that was used. With `smart`, its `message` is the text ' +
          'that was sent and charged.',
      ],
    },
    {
      title: 'Pay once',
      blocks: [
        '`dedupe` is a number of seconds. If you sent the same text to the same recipient within this ' +
          'time, the answer is that message, and nothing is sent or charged:',
        exchange(
          inEveryLanguage('send-once'),
          code('Response to the second request, HTTP 200', 'json', shown(deduplicated)),
        ),
        `[No duplicates](${paths.idempotency}#no-duplicates) has the details. In a bulk, such items ` +
          `are listed as \`duplicate\`.`,
      ],
    },
    {
      title: 'When a quote is refused',
      blocks: [
        list(
          `[\`quote_invalid\`](${paths.errors}#quote_invalid): it belongs to another recipient, text or account.`,
          `[\`quote_expired\`](${paths.errors}#quote_expired): it is older than ` +
            `${limits.quoteMinutes} minutes. Request another.`,
        ),
      ],
    },
  ],
};
