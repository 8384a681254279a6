import { limits } from '#contract/limits.js';
import { paths } from '../../paths.js';
import { site } from '../../site.js';
import { acceptedBulk, batch, batchCanceled, refusal, shown } from '../answers.js';
import { count } from '../facts.js';
import { code, exchange, inEveryLanguage, list, note, type Page, table } from '../page.js';

const rejected = [
  {
    index: 1,
    to: '+1202',
    code: 'invalid_number',
    detail: 'This is not a valid phone number. Write it with + and country code.',
  },
  {
    index: 2,
    to: '+12025550142',
    code: 'duplicate',
    detail: 'Item 0 has the same number and text, which is sent once.',
  },
];

export const bulk: Page = {
  path: paths.bulk,
  title: 'Send in bulk',
  description: 'The sendbulk call sends up to 10,000 messages with one request: templates, rejected items, batches.',
  intro: [
    `One POST to \`${site.url}/api/sendbulk\` sends up to ${count(limits.bulkMessagesMax)} messages. ` +
      'All of them are stored and charged, or none. Without a program, the ' +
      `[dashboard](${paths.dashboardBulk}) sends a CSV file in the same way.`,
  ],
  sections: [
    {
      title: 'One text for many people',
      blocks: [
        exchange(inEveryLanguage('send-bulk'), code('Response, HTTP 200', 'json', shown(acceptedBulk))),
        'Each `{{name}}` in `message` is replaced by the field of that name of the recipient, a text ' +
          'or a number. A recipient without it is rejected with `variable_missing`.',
      ],
    },
    {
      title: 'The fields',
      blocks: [
        table(
          ['Field', 'Description'],
          [
            [
              '`message`, `recipients`',
              'A text with `{{name}}` for each variable, and the recipients: `to`, the variables, ' +
                'perhaps a `reference`.',
            ],
            ['`messages`', 'In place of these two: a list of `to`, `message` and perhaps `reference`.'],
            [
              '`partial`',
              '`true`: send what can be sent. See [Items that cannot be sent](#items-that-cannot-be-sent).',
            ],
            ['`send_at`, `validity`', `When all of them leave: [schedule and cancel](${paths.scheduling}).`],
            [
              '`delivery`, `hedge_seconds`',
              `When another route is tried: [if a carrier does not ` +
                `deliver](${paths.sendSms}#if-a-carrier-does-not-deliver).`,
            ],
            ['`media`', `Pictures and other files for all of them: [send pictures](${paths.media}).`],
            [
              '`encoding`, `quote`, `max_credits`, `dedupe`',
              `For all of them, the price in total: [quotes and prices](${paths.prices}).`,
            ],
          ],
        ),
        `The body is JSON of up to ${limits.bulkBodyBytesMax / 1_048_576} MiB. A bulk counts as one ` +
          `request for the [limits](${paths.rateLimits}), and an ` +
          `[Idempotency-Key](${paths.idempotency}) covers all of it.`,
      ],
    },
    {
      title: 'Items that cannot be sent',
      blocks: [
        'If any item is rejected, or your balance does not cover all, nothing is sent and nothing is ' +
          'charged. The answer lists the items, counted from 0:',
        code(
          'Response, HTTP 400',
          'json',
          shown({
            ...refusal(
              'bulk_rejected',
              'An item was rejected, so nothing was sent. You were not charged. Correct the request, ' +
                'or send it with "partial": true.',
            ),
            rejected: rejected.slice(0, 1),
          }),
        ),
        'With `"partial": true` the others are sent, and the answer lists the rest:',
        code(
          'Response with partial, HTTP 200',
          'json',
          shown({ ...acceptedBulk, accepted: 1, rejected, credits: 1, balance: 211 }),
        ),
        note(
          'The same number and text is sent once. Further items with it are listed as `duplicate`, ' +
            'and do not reject the others.',
        ),
      ],
    },
    {
      title: 'Follow a batch',
      blocks: [
        exchange(inEveryLanguage('batch-status'), code('The batch, HTTP 200', 'json', shown(batch))),
        list(
          `\`statuses\` counts the messages by [status](${paths.messageStatus}#status), \`refunded\` ` +
            'is what was refunded so far.',
          '`GET /api/batches` lists your batches, newest first.',
          `\`GET /api/batches/{batch_id}/messages\` lists its messages, ${limits.messagesPageSize} at ` +
            `a time. With \`next_cursor\` you ask for the next page.`,
          `Each message has its own [webhook events](${paths.webhooks}).`,
        ),
      ],
    },
    {
      title: 'Cancel a batch',
      blocks: [
        exchange(inEveryLanguage('cancel-batch'), code('The batch afterwards, HTTP 200', 'json', shown(batchCanceled))),
        'Messages that are `scheduled` or `queued` are canceled and refunded; `canceled` is how many ' +
          'this call canceled. When none is left and none was canceled before, the answer is 409 ' +
          '`not_cancelable`.',
      ],
    },
  ],
};
