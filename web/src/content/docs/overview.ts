import { limits } from '#contract/limits.js';
import { paths, sendSmsPath } from '../../paths.js';
import { accepted, shown } from '../answers.js';
import { freeCredits, localRent, tollFreeRent } from '../facts.js';
import { code, exchange, inEveryLanguage, list, type Page, steps, table } from '../page.js';

export const overview: Page = {
  path: paths.docs,
  title: 'Documentation',
  description:
    'Send and receive text messages with one HTTP POST. How to get a key, send the first message, and what it costs.',
  intro: [
    'Pennytext lets your program send and receive text messages. One HTTP POST sends a message, ' +
      'replies arrive at your webhook, and you pay with credits: no subscription, no contract.',
  ],
  sections: [
    {
      title: 'From sign-up to your first message',
      blocks: [
        steps(
          `[Sign in with Google](${paths.login}). The new account has an API key and, once per person, ${freeCredits}.`,
          `Copy the key from your [dashboard](${paths.dashboard}).`,
          'Replace the key and the phone number in this command with yours, and run it.',
        ),
        exchange(inEveryLanguage('send-sms'), code('Response', 'json', shown(accepted))),
        `Each language has its own page: [Curl](${sendSmsPath('curl')}), ` +
          `[Python](${sendSmsPath('python')}), [PHP](${sendSmsPath('php')}), ` +
          `[Ruby](${sendSmsPath('ruby')}), [NodeJs](${sendSmsPath('nodejs')}), ` +
          `[Javascript](${sendSmsPath('javascript')}), [C#](${sendSmsPath('csharp')}) and ` +
          `[Java](${sendSmsPath('java')}).`,
      ],
    },
    {
      title: 'The calls',
      blocks: [
        table(
          ['Call', 'What it does', 'Costs'],
          [
            [
              `[\`POST /api/sendsms\`](${paths.sendSms})`,
              'Sends a message.',
              'Its segments times the credits of its country',
            ],
            [`[\`POST /api/sendbulk\`](${paths.bulk})`, 'Sends up to 10,000 messages.', 'The sum of its messages'],
            [
              `[\`POST /api/media\`](${paths.media}#upload)`,
              'Stores a picture for messages.',
              `${limits.mmsCreditsDefault} credits for each message with it`,
            ],
            [
              `[\`POST /api/quote\`](${paths.prices}#price-first)`,
              'Returns the price of a message or a code.',
              'Nothing',
            ],
            [
              `[\`GET /api/messages/{message_id}\`](${paths.messageStatus})`,
              'Returns the status of a message.',
              'Nothing',
            ],
            [
              `[\`GET /api/messages/{message_id}/record\`](${paths.messageStatus}#the-record-of-a-message)`,
              'Returns everything recorded about a message.',
              'Nothing',
            ],
            [
              `[\`POST /api/messages/{message_id}/cancel\`](${paths.scheduling}#cancel-a-message)`,
              'Cancels a message that has not left yet, and refunds it.',
              'Nothing',
            ],
            [`[\`GET /api/messages\`](${paths.messageStatus})`, 'Lists your messages, newest first.', 'Nothing'],
            [`[\`GET /api/balance\`](${paths.messageStatus})`, 'Returns your credit balance.', 'Nothing'],
            [`[\`POST /api/sendotp\`](${paths.otp})`, 'Sends a one-time password.', '1 credit'],
            [`[\`POST /api/verifyotp\`](${paths.otp})`, 'Checks a one-time password.', 'Nothing'],
            [`[\`/api/totp\`](${paths.totp})`, 'Codes of authenticator apps.', 'Nothing'],
            [
              `[\`POST /api/numbers\`](${paths.numbers})`,
              'Buys a number of your own.',
              `${localRent} a month, toll-free ${tollFreeRent}`,
            ],
            [`[Your webhook](${paths.receiving})`, 'Receives the replies to your messages.', '1 credit per reply'],
          ],
        ),
        'Request bodies are JSON or form-encoded; responses are JSON. Browsers may call the API from any page.',
        'Send the API key as `apikey` in the body or in an `Authorization: Bearer YOUR_API_KEY` ' +
          'header; if both are there, the one in the body counts. It identifies your account, so keep it secret.',
      ],
    },
    {
      title: 'What a message costs',
      blocks: [
        `A message costs its segments times the [credits of the country](${paths.regions}) it goes to; ` +
          `[pricing](${paths.pricing}) shows what that is in dollars.`,
        `Messages go to every country that is active in the [table of regions](${paths.regions}).`,
        list(
          'Messages that are not delivered are refunded.',
          'Rejected requests are not charged.',
          `At most ${limits.messageSegmentsMax} segments are sent as one message. [How segments are ` +
            `counted](${paths.sendSms}#segments).`,
        ),
      ],
    },
    {
      title: 'For AI assistants and other programs',
      blocks: ['The complete documentation is available as one plain text file: [/llms.txt](/llms.txt).'],
    },
  ],
};
