import { limits } from '#contract/limits.js';
import { paths } from '../../paths.js';
import { deliveredEvent, lowCreditsEvent, shown } from '../answers.js';
import { listed, webhookAnswerSeconds, webhookFailingDaysMax, webhookWaits } from '../facts.js';
import { code, list, note, type Page, table } from '../page.js';

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
          `seconds. Anything else is retried after ${listed(webhookWaits)}: ten attempts over about ` +
          'three days.',
        list(
          'Redirects are not followed. Enter the final URL.',
          'We honor your `Retry-After` header, up to 24 hours.',
          'A 410 response turns the webhook off at once.',
          `A webhook that only fails for ${webhookFailingDaysMax} days is turned off, and we email you.`,
          'URLs inside private networks are not called.',
        ),
        `The dashboard shows every attempt of the last ${limits.webhookDeliveriesKeptDays} days with ` +
          'your response. There you can resend one or all of a period, and send test events.',
      ],
    },
    {
      title: 'Other events',
      blocks: [
        'These are off until you turn them on in the dashboard. Their bodies have `type`, `timestamp` and `data`.',
        table(
          ['`type`', 'When'],
          [
            ['`message.scheduled`', 'A message with `send_at` was accepted; `data` has `send_at` too.'],
            ['`message.sent`', 'The carrier accepted a message.'],
            [
              '`message.rerouted`',
              'It was handed to another route; `data` has `delivery`, `attempt` and `reason` too.',
            ],
            ['`message.delivered`', 'It reached the phone.'],
            ['`message.canceled`', 'You canceled it; its credits were refunded.'],
            ['`message.undelivered`', 'The carrier could not deliver it; its credits were refunded.'],
            ['`message.failed`', 'It was not sent; its credits were refunded.'],
            [
              '`message.media_ready`',
              'The files of a reply are there, which was forwarded before they were; `data` has `sender` and `media`.',
            ],
            ['`otp.sent`', 'The carrier accepted a one-time password.'],
            ['`otp.verified`', 'A one-time password was verified.'],
            ['`otp.failed`', 'A one-time password ended after too many wrong attempts.'],
            ['`otp.expired`', 'A one-time password expired.'],
            ['`otp.blocked`', 'The fraud guard refused a one-time password.'],
            ['`credits.low`', 'Your balance fell below the number you chose.'],
            ['`credits.daily_spend`', 'You used the number of credits you chose within a New York day.'],
            ['`number.active`', 'You bought a number, or its rent was paid after it was due.'],
            [
              '`number.past_due`',
              'Your balance does not cover the rent of a number: on days 0, 3 and 6; `data` has `day` too.',
            ],
            ['`number.released`', 'A number is not yours any more; `data` has `reason` too.'],
            [
              '`number.filtered`',
              'Carriers filter the messages of a number, so it left its pools; `data` has `messages` and `failed` too.',
            ],
          ],
        ),
        code('message.delivered', 'json', shown(deliveredEvent)),
        code('credits.low', 'json', shown(lowCreditsEvent)),
        note('Received messages have no `type`; they have the fields on [the replies page](' + paths.receiving + ').'),
      ],
    },
  ],
};
