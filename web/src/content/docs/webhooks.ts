import { limits } from '#contract/limits.js';
import { paths } from '../../paths.js';
import { deliveredEvent, shown, verifiedAfterSteps } from '../answers.js';
import { listed, webhookAnswerSeconds, webhookFailingDaysMax, webhookWaits } from '../facts.js';
import { code, list, note, type Page, table } from '../page.js';
import { webhookTable } from './api-reference.server.js';

const headers = `webhook-id: msg_0199d0d5e1b27c43a1d6c0b7f3e8525a
webhook-timestamp: 1772731447
webhook-signature: v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
content-type: application/json`;

export const webhooks: Page = {
  path: paths.webhooks,
  title: 'Webhooks',
  description: 'How your webhook is called: signatures, retries, and events beyond received messages.',
  intro: [
    `Your webhook is a URL that you set in the [dashboard](${paths.dashboard}). It receives the ` +
      `[replies](${paths.receiving}) to your messages, and other events if you subscribe to them.`,
  ],
  sections: [
    {
      title: 'Signatures',
      blocks: [
        'Every call carries the three headers of [Standard ' +
          'Webhooks](https://www.standardwebhooks.com), whose libraries verify them in one line in many ' +
          'languages.',
        code('Headers', 'http', headers),
        list(
          'The signature is HMAC-SHA-256 over `webhook-id`, a dot, `webhook-timestamp`, a dot, and ' +
            'the body exactly as received, in base64.',
          'The HMAC’s key is your signing secret: the part after `whsec_`, decoded from base64.',
          '`webhook-signature` may hold several signatures, separated by spaces. One match is enough.',
          'Reject a `webhook-timestamp` that differs from your clock by more than five minutes: it ' +
            'may be a replayed call.',
          '`webhook-id` stays the same when a call is repeated. Store the ids you have processed, so ' +
            'that you handle none twice.',
        ),
        `[Complete receivers](${paths.receiving}#a-complete-receiver) in Node.js, Python and PHP ` +
          'verify calls without a library.',
        `You can rotate the secret in the dashboard. For ${limits.oldWebhookSecretHours} hours calls ` +
          'are signed with both secrets, so you can update your program without missing any.',
      ],
    },
    {
      title: 'When your webhook does not respond',
      blocks: [
        `A call counts as delivered when a 2xx response arrives within ${webhookAnswerSeconds} ` +
          'seconds, so answer first and do the work afterwards. Anything else is retried after ' +
          `${listed(webhookWaits)}, each wait up to 10% longer: ten attempts over about three days.`,
        list(
          'Redirects are not followed. Enter the final URL.',
          'We honor the `Retry-After` header of a 429 or 503, up to 24 hours.',
          `When every call has failed for ${limits.webhookFailingMailMinutes} minutes, we email you, once for each ` +
            `time that your webhook begins to fail. The dashboard and [\`GET /api/notifications\`](${paths.topUp}` +
            '#what-needs-your-attention) show it from the first failure on.',
          `A 410 response turns the webhook off at once, and so do ${webhookFailingDaysMax} days of failures alone. ` +
            'We email you, and events wait up to seven days for you to turn it on again or to set another URL.',
          'The URL is `http` or `https` without credentials and leads to a public address, on port 443, 80, or one ' +
            'from 1024 up that belongs to no other kind of service, such as a database.',
          'Each of our workers makes up to 16 calls at a time to your server, 2 while it is failing.',
        ),
        `The dashboard shows every attempt of the last ${limits.webhookDeliveriesKeptDays} days with the first 1,000 ` +
          'characters of your response. There you can resend one or all of a period, and send test events.',
      ],
    },
    {
      title: 'Events',
      blocks: [
        note(
          'All but `message.received` are off until you turn them on in the dashboard. They have `type`, `timestamp` ' +
            `and \`data\`; \`message.received\` has the fields on [the replies page](${paths.receiving}).`,
        ),
        webhookTable(),
        'Events can arrive out of order and more than once: recognize them by `webhook-id`. What you turn on or off ' +
          'takes effect within two seconds.',
        code('message.delivered', 'json', shown(deliveredEvent)),
      ],
    },
    {
      title: 'Codes with channels',
      blocks: [
        `For a code that was sent with [\`channels\`](${paths.otp}#channels-in-order), \`otp.sent\` and ` +
          '`otp.verified` have three fields more. Each is still sent once for a code: `otp.sent` for the first ' +
          'message that a carrier takes, with the steps until then.',
        table(
          ['Field', 'Description'],
          [
            [
              '`channel`',
              'Of `otp.sent` the channel of the latest step, of `otp.verified` that of the step after which the code ' +
                'was entered.',
            ],
            ['`entered_step`', 'Number of that step; `null` in `otp.sent`.'],
            [
              '`steps`',
              'The messages in order: `n` from 1, `channel`, `to`, `started_at`, `outcome`, `reason`, and `credits` ' +
                'without refunds. `to` of the event stays the number of the person.',
            ],
          ],
        ),
        code('otp.verified', 'json', shown(verifiedAfterSteps)),
      ],
    },
    {
      title: 'URLs of single messages',
      blocks: [
        `Programs for [Twilio’s](${paths.migratingFromTwilio}) or [Textbelt’s](${paths.migratingFromTextbelt}) API ` +
          'can name a URL with each message. Its calls have the form and signature of that API, and the same ' +
          'retries, limits and history. They do not depend on your webhook: their failures never turn it off.',
      ],
    },
  ],
};
