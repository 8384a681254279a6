import { errorCatalogue } from '#contract/errors.js';
import { limits } from '#contract/limits.js';
import { paths } from '../../paths.js';
import { canceled, refusal, scheduled, shown } from '../answers.js';
import { count } from '../facts.js';
import { code, exchange, list, note, type Page, inEveryLanguage, table } from '../page.js';

export const scheduling: Page = {
  path: paths.scheduling,
  title: 'Schedule and cancel',
  description: 'Send a message or a bulk later with send_at, limit how long it may wait, and cancel it with a refund.',
  intro: [
    'With `send_at`, a message is sent at the time you choose, normally within two seconds. Until ' +
      'then you can cancel it, and its credits are refunded.',
  ],
  sections: [
    {
      title: 'Send later',
      blocks: [
        exchange(inEveryLanguage('send-later'), code('Response, HTTP 200', 'json', shown(scheduled))),
        list(
          `\`send_at\` is a date and time with an offset (RFC 3339), as ` +
            `\`YYYY-MM-DDThh:mm:ss-05:00\`, ${limits.sendAtSecondsMin} seconds to ` +
            `${limits.sendAtDaysMax} days from now. \`-05:00\` is New York in winter, \`-04:00\` in ` +
            `summer, \`Z\` is UTC.`,
          'The message is checked and charged at once. Its status is `scheduled` until it leaves.',
          'It counts against the daily limit of the New York day on which it leaves: its place is reserved when it ' +
            'is accepted.',
          'If the recipient opts out before then, or your account is blocked, suspended or at its limit, the message ' +
            'fails and is refunded.',
          `In [\`sendbulk\`](${paths.bulk}) \`send_at\` is the time of all messages, which take their places one by ` +
            'one: those that do not fit are rejected with `daily_limit`.',
          'When you revoke or replace a key, the dashboard shows how many messages it has scheduled, and cancels ' +
            'them if you want; otherwise they leave.',
        ),
      ],
    },
    {
      title: 'Expiry',
      blocks: [
        `A reminder is worthless when it arrives late. \`validity\` is how many seconds a message may ` +
          `wait for the carrier, ${limits.validitySecondsMin} to ${count(limits.validitySecondsMax)}, ` +
          `counted from \`send_at\` or from now. A message that the carrier does not have in time fails ` +
          `with \`expired\`, and is refunded. The carrier gets what is left of the time, and gives up ` +
          'then too.',
      ],
    },
    {
      title: 'Cancel a message',
      blocks: [
        exchange(inEveryLanguage('cancel-message'), code('The canceled message, HTTP 200', 'json', shown(canceled))),
        list(
          'A message that is `scheduled` or `queued` can be canceled. Its credits are refunded.',
          'A canceled message is never sent: if sending has started, the cancellation fails.',
          'Canceling again returns the same message and refunds nothing more.',
          `All messages of a bulk at once: [cancel a batch](${paths.bulk}#cancel-a-batch).`,
        ),
        code(
          `Too late, HTTP ${errorCatalogue.not_cancelable.status}`,
          'json',
          shown(refusal('not_cancelable', 'Only a scheduled or queued message can be canceled; this one is sent.')),
        ),
        note('One-time passwords cannot be scheduled or canceled.'),
      ],
    },
    {
      title: 'When a time is refused',
      blocks: [
        table(
          ['HTTP', '`code`', 'When'],
          [
            [
              String(errorCatalogue.invalid_send_at.status),
              `[\`invalid_send_at\`](${paths.errors}#invalid_send_at)`,
              'The time is in the past, too far ahead, or has no offset.',
            ],
            [
              String(errorCatalogue.invalid_validity.status),
              `[\`invalid_validity\`](${paths.errors}#invalid_validity)`,
              'The seconds are not a whole number within the bounds.',
            ],
            [
              String(errorCatalogue.daily_limit.status),
              `[\`daily_limit\`](${paths.errors}#daily_limit)`,
              'The daily limit of that day is already used up.',
            ],
          ],
        ),
      ],
    },
  ],
};
