import { limits } from '#contract/limits.js';
import type { MessageStatus } from '#contract/messages.js';
import { paths } from '../../paths.js';
import { site } from '../../site.js';
import { balance, delivered, shown } from '../answers.js';
import { code, exchange, list, note, type Page, inEveryLanguage, table, type Markup } from '../page.js';

/** Meaning of each status to the sender. */
const statusMeanings: Readonly<Record<MessageStatus, Markup>> = {
  scheduled: 'Accepted and charged; leaves at `send_at`.',
  queued: 'Accepted and charged; waiting in the queue.',
  sending: 'Being handed to the carrier.',
  sent: 'The carrier has it.',
  delivered: 'It reached the phone. Final.',
  undelivered: 'The carrier could not deliver it. Its credits were refunded. Final.',
  failed: 'It was not sent; `error_code` says why. Its credits were refunded. Final.',
  canceled: 'You canceled it before it was sent. Its credits were refunded. Final.',
};

const listRequest = `curl ${site.url}/api/messages \\
  -H 'Authorization: Bearer YOUR_API_KEY'`;

const recordRequest = `curl ${site.url}/api/messages/${delivered.message_id}/record \\
  -H 'Authorization: Bearer YOUR_API_KEY'`;

export const messageStatus: Page = {
  path: paths.messageStatus,
  title: 'Message status and balance',
  description: 'Look up the status of a message, list your messages, and see how many credits you have.',
  intro: [
    'These calls only read. Send the key in the header `Authorization: Bearer`, or as `apikey` in the ' +
      'query; prefer the header, because URLs end up in logs.',
  ],
  sections: [
    {
      title: 'One message',
      blocks: [
        exchange(inEveryLanguage('message-status'), code('The message, HTTP 200', 'json', shown(delivered))),
        list(
          '`refunded` is how many of its credits were refunded.',
          '`reason` is why it was not delivered, in words: see [Delivery errors](' + paths.deliveryErrors + ').',
          '`error_code` is ours, `carrier_error` the carrier’s number; both are `null` unless something went wrong.',
          'Times are ISO 8601, in UTC.',
        ),
      ],
    },
    {
      title: 'Status',
      blocks: [
        table(
          ['`status`', 'What it means'],
          Object.entries(statusMeanings).map(([status, meaning]) => [`\`${status}\``, meaning]),
        ),
        'A status only moves forward, in this order. Instead of polling, use a [webhook](' + paths.webhooks + ').',
        note('A message that is not delivered is not charged: its credits are refunded automatically.'),
      ],
    },
    {
      title: 'The record of a message',
      blocks: [
        code('Curl: Record', 'bash', recordRequest),
        '`GET /api/messages/{message_id}/record` returns everything that is kept of one message: ' +
          'every state with its time and cause, the carrier’s id and codes, segments and encoding, ' +
          'price and refund, its ledger entries with the seals that cover them, and its webhooks with ' +
          'bodies, attempts and answers.',
        '`receipt_level` is what `delivered` means on its route: `handset`, it reached the phone; ' +
          '`network`, the phone’s network confirmed it; `none`, no more than `sent`.',
        'The page of a message in the dashboard leads to the same record, to print or download. The ' +
          'codes of one-time passwords stay masked, and `removed` names what is no longer kept.',
      ],
    },
    {
      title: 'All messages',
      blocks: [
        code('Curl: List messages', 'bash', listRequest),
        code(
          'The messages, HTTP 200',
          'json',
          shown({ success: 'true', messages: [withoutSuccess(delivered)], next_cursor: null }),
        ),
        `Newest first, ${limits.messagesPageSize} at a time. When there are more, \`next_cursor\` is ` +
          `a text: ask for the next page with \`?cursor=\` and that text.`,
        'Filters, alone or together: `status`, `reason` (why it was not delivered), `to`, `reference`, ' +
          '`batch_id`, `since` and `until` ' +
          '(times with an offset, such as `YYYY-MM-DDThh:mm:ssZ`; encode `+` as `%2B`). A filtered page ' +
          'may have fewer messages, or none: ask on until `next_cursor` is `null`.',
      ],
    },
    {
      title: 'Balance',
      blocks: [
        exchange(inEveryLanguage('balance'), code('The balance, HTTP 200', 'json', shown(balance))),
        '`balance` is always `purchased` minus `used`, in credits. Free and redeemed credits count as ' +
          '`purchased`; refunds lower `used`.',
      ],
    },
  ],
};

function withoutSuccess({ success: _success, ...message }: typeof delivered) {
  return message;
}
