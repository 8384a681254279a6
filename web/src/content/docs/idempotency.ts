import { errorCatalogue } from '#contract/errors.js';
import { limits } from '#contract/limits.js';
import { paths } from '../../paths.js';
import { site } from '../../site.js';
import { accepted, deduplicated, shown } from '../answers.js';
import { code, exchange, list, type Page, inEveryLanguage, table } from '../page.js';

const request = `curl ${site.url}/api/sendsms \\
  -H 'Idempotency-Key: order-1042-shipped' \\
  --data-urlencode to='+12025550142' \\
  --data-urlencode message='Your order has been shipped.' \\
  --data-urlencode apikey='YOUR_API_KEY'`;

export const idempotency: Page = {
  path: paths.idempotency,
  title: 'Retrying safely',
  description: 'With an Idempotency-Key you can repeat a request without sending or charging the message twice.',
  intro: [
    'A connection can break before the response reaches you. You then cannot know whether the message ' +
      'was accepted, and a retry could send it twice. An `Idempotency-Key` prevents that.',
  ],
  sections: [
    {
      title: 'How it works',
      blocks: [
        exchange(
          code('Curl: With an Idempotency-Key', 'bash', request),
          code('Response, the first time and every time', 'json', shown(accepted)),
        ),
        list(
          `The key is any text you choose, up to ${limits.idempotencyKeyCharactersMax} characters. ` +
            'Use a new one for each message.',
          `For ${limits.idempotencyHours} hours the same key with the same body returns the first ` +
            `response again, with the header \`Idempotent-Replayed: true\`. Nothing is sent or charged ` +
            'a second time.',
          'Errors are not remembered, because they changed nothing: fix the cause and send the same ' +
            'request with the same key.',
          'Keys are private to your account. Those of messages, of purchases of numbers and of uploads are apart. ' +
            'Requests with a test key are not remembered.',
        ),
      ],
    },
    {
      title: 'When a key is rejected',
      blocks: [
        table(
          ['HTTP', '`code`', 'When'],
          [
            [
              String(errorCatalogue.idempotency_in_progress.status),
              '`idempotency_in_progress`',
              'The first request is still running. Wait a second and send it again.',
            ],
            [
              String(errorCatalogue.idempotency_conflict.status),
              '`idempotency_conflict`',
              'The key was used with a different body. Use a new key for a new message.',
            ],
          ],
        ),
      ],
    },
    {
      title: 'No duplicates',
      blocks: [
        'Two parts of your program that may send the same message share no key. `dedupe` compares the ' +
          'messages themselves:',
        exchange(inEveryLanguage('send-once'), code('Response to the second', 'json', shown(deduplicated))),
        list(
          `\`dedupe\` is a number of seconds, up to ${limits.dedupeSecondsMax}. If you sent the same ` +
            'text to the same recipient within this time, you get that message back, with ' +
            `\`deduplicated\`. Nothing is sent or charged.`,
          'Of several requests at the same moment one is accepted, and the others get its response.',
          'Messages that you sent without `dedupe` or with another key count too. Messages that were not delivered ' +
            'do not count: they can be sent again.',
          'Texts are compared as they are sent. `reference` and `credits` are those of the earlier message, ' +
            '`balance` is the current one.',
          'A test key ignores `dedupe`.',
        ),
      ],
    },
    {
      title: 'What to retry',
      blocks: [
        list(
          'No response, 500 or 503: send the same request with the same key again, after 1, 2, 4 seconds and so on.',
          `429: wait as many seconds as \`Retry-After\` tells you: [limits](${paths.rateLimits}).`,
          'Any other 4xx: the request would fail again. Check `code` first.',
        ),
      ],
    },
  ],
};
