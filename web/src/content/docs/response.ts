import { errorCatalogue } from '#contract/errors.js';
import { paths } from '../../paths.js';
import { accepted, refusal, shown } from '../answers.js';
import { code, list, type Page, table } from '../page.js';

export const response: Page = {
  path: paths.response,
  title: 'Response Received',
  description: 'What the API returns when a message is accepted and when it is rejected, field by field.',
  intro: [
    'Every response is JSON. `success` is a string, `"true"` or `"false"`, and the HTTP status ' +
      'matches it: 200 when the message was accepted, 4xx or 5xx otherwise.',
  ],
  sections: [
    {
      title: 'The message was accepted',
      blocks: [
        code('HTTP 200', 'json', shown(accepted)),
        table(
          ['Field', 'Meaning'],
          [
            ['`success`', '`"true"`: the message is stored and charged, and is on its way to the carrier.'],
            ['`message_id`', `34 characters: use it to look up [the status of the message](${paths.messageStatus}).`],
            ['`segments`', `How many [segments](${paths.sendSms}#segments) the text has.`],
            ['`credits`', `What the message costs: segments times the credits of its [country](${paths.regions}).`],
            ['`encoding`', `\`GSM-7\` or \`UCS-2\`: [encoding](${paths.prices}#encoding).`],
            ['`balance`', 'Your credits after this message.'],
            ['`message`', 'The text as it was sent, if you sent `encoding` as `smart`.'],
            ['`reference`', 'The reference you sent, if any.'],
            ['`status`, `send_at`', `Present for a message with [\`send_at\`](${paths.scheduling}#send-later).`],
            [
              '`deduplicated`',
              `\`true\` when this is an [earlier message](${paths.idempotency}#no-duplicates): ` +
                'nothing was sent or charged.',
            ],
            ['`test`', `\`true\` when the key was a [test key](${paths.testing}): nothing was sent or charged.`],
          ],
        ),
      ],
    },
    {
      title: 'The message was rejected',
      blocks: [
        code(
          `HTTP ${errorCatalogue.no_credits.status}`,
          'json',
          shown(refusal('no_credits', 'The balance is 0. You were not charged.')),
        ),
        table(
          ['Field', 'Meaning'],
          [
            ['`success`', '`"false"`: nothing was sent and nothing was charged.'],
            ['`error`', 'The reason as text. Several reasons share the text `Failed to send SMS`.'],
            ['`code`', `The reason as a stable code for programs: [all of them](${paths.errors}).`],
            ['`detail`', 'An explanation for people. Its wording may change.'],
          ],
        ),
      ],
    },
    {
      title: 'Headers',
      blocks: [
        list(
          `\`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` are part of every ` +
            `response to a request with a key: [limits](${paths.rateLimits}).`,
          '`Retry-After` in a 429: how many seconds to wait.',
          `\`Idempotent-Replayed: true\` means that this is the response to an earlier request: ` +
            `[retrying safely](${paths.idempotency}).`,
        ),
      ],
    },
  ],
};
