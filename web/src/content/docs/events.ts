import { limits } from '#contract/limits.js';
import { paths } from '../../paths.js';
import { site } from '../../site.js';
import { code, list, note, type Page, table } from '../page.js';

const request = `curl -N ${site.url}/api/events \\
  -H 'Authorization: Bearer YOUR_API_KEY'`;

const stream = `retry: 2000
id: 41

: ready

id: 42
event: message.delivered
webhook-id: msg_…
webhook-timestamp: …
webhook-signature: v1,…
data: {"type":"message.delivered","timestamp":"…","data":{"message_id":"SM…"}}`;

const trigger = `curl ${site.url}/api/events \\
  --data-urlencode type='message.delivered' \\
  --data-urlencode apikey='YOUR_API_KEY'`;

export const events: Page = {
  path: paths.events,
  title: 'Event stream',
  description:
    'Follow the events of your account over one open connection, without a public URL: server-sent events with a ' +
    'cursor, so that none is lost.',
  intro: [
    `A [webhook](${paths.webhooks}) needs a public URL. \`GET /api/events\` needs none: your program opens a ` +
      `connection, and every event of your account arrives on it. The [SDK](${paths.sdk}) and the ` +
      `[command line](${paths.cli}) read it for you.`,
  ],
  sections: [
    {
      title: 'Open the stream',
      blocks: [
        code('Curl: Follow the events', 'bash', request),
        code('What arrives', 'text', stream),
        'The format is that of server-sent events in browsers (`EventSource`). The key needs the scope `read`.',
        table(
          ['Line', 'Meaning'],
          [
            [
              '`id`',
              'The cursor. Send the last one as `Last-Event-ID`, and the stream continues after it. A block with an ' +
                '`id` and no `data` is no event.',
            ],
            [
              '`: ready`',
              'Follows within seconds if your account has not listened for 3 days: from then on every event is ' +
                'streamed.',
            ],
            ['`event`', `The type. All [types of webhooks](${paths.webhooks}) are streamed.`],
            ['`data`', 'Exactly the body that a webhook has, as one line of JSON.'],
            [
              '`webhook-…`',
              'The headers of that webhook. Post `data` with them to your own server, and code that verifies ' +
                'webhooks accepts it.',
            ],
            ['`: heartbeat`', 'Every 15 seconds. A connection that is silent for 45 seconds is broken.'],
          ],
        ),
      ],
    },
    {
      title: 'Lose no event',
      blocks: [
        list(
          'Events are kept for 3 days and arrive in order, each once. Connect again with `Last-Event-ID` after a ' +
            'broken connection, after the milliseconds in `retry`.',
          'The server may close a stream at any time, such as when it restarts, or after many events that it replayed.',
          '`event: gap` comes first if events after your cursor are no longer kept, or were not kept because your ' +
            'account had not listened for 3 days. It has no signature.',
          '`event: closed` ends a stream whose key no longer works, within seconds; `data` has the `code` and ' +
            '`detail` of the error. Do not connect again with it.',
          `An account may have ${limits.eventStreamsPerAccountMax} streams open per server. A further one is ` +
            'answered 429, a full or stopping server answers 503, both with `Retry-After`.',
        ),
        note(
          'While a stream is open, and for 10 minutes after it, you receive replies as with a webhook URL: ' +
            'each costs 1 credit. `credits.low` and `credits.daily_spend` need their ' +
            `[alert](${paths.topUp}#alerts) or subscription in the dashboard.`,
        ),
      ],
    },
    {
      title: 'Create a test event',
      blocks: [
        code('Curl: A test event', 'bash', trigger),
        'It has example data, and goes to the open streams and to your webhook. The key needs the scope ' +
          '`webhooks`. A stream that is opened with a test key gets one example of every type, without `id`.',
      ],
    },
  ],
};
