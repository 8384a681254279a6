import { paths } from '../../paths.js';
import { site } from '../../site.js';
import { code, list, type Page, table } from '../page.js';
import { install } from './install.js';

const start = `import { Pennytext } from 'pennytext';

const client = new Pennytext({
  apiKey: process.env.PENNYTEXT_API_KEY,
  baseUrl: '${site.url}',
});
const { message_id, credits, balance } = await client.send({
  to: '+12025550142',
  message: 'Hello from Pennytext',
});
const { status } = await client.messages.get(message_id);
console.log({ message_id, credits, balance, status });`;

const failures = `import { PennytextError } from 'pennytext';

try {
  await client.send({ to: '+12025550142', message: 'Hello' });
} catch (error) {
  if (!(error instanceof PennytextError)) throw error;
  console.error(error.code, error.detail, error.requestId);
}`;

const lists = `for await (const message of client.messages.list({ status: 'undelivered' }))
  console.log(message.to, message.error_code);`;

const hook = `import { verify } from 'pennytext';

const event = await verify(body, headers, process.env.PENNYTEXT_WEBHOOK_SECRET);
if (event.type === 'message.received') console.log(event.data.Sender, event.data.Message);`;

const events = `for await (const event of client.events()) console.log(event.cursor, event.type);`;

export const sdk: Page = {
  path: paths.sdk,
  title: 'JavaScript SDK',
  description:
    'The npm package pennytext: a typed client with safe retries, webhook verification and live ' +
    'events, without dependencies.',
  intro: [
    'The npm package `pennytext` is a typed client for Node 20 and newer, Deno, Bun, Cloudflare Workers and ' +
      'browsers. It has no dependencies and comes as ESM and CommonJS.',
  ],
  sections: [
    install,
    {
      title: 'Send a message',
      blocks: [
        code('send.mjs', 'javascript', start),
        `In browsers use a [test key](${paths.testing}) only: a page shows its key to every visitor.`,
      ],
    },
    {
      title: 'Calls',
      blocks: [
        `Fields and answers are those of the [API](${paths.apiReference}); editors show what each one means.`,
        table(
          ['Call', 'Effect'],
          [
            [
              '`client.send(request)`',
              `[Sends a message](${paths.sendSms}); \`media\` makes it [one with pictures](${paths.media})`,
            ],
            ['`client.sendBulk(request)`', `[Sends up to 10,000 messages](${paths.bulk})`],
            ['`client.quote(request)`', `[Shows a price](${paths.prices}) without sending`],
            [
              '`client.otp.send`, `.resend`, `.verify`, `.get`, `.list`, `.conversion`, `.guard`',
              `[One-time passwords](${paths.otp})`,
            ],
            [
              '`client.messages.get`, `.record`, `.list`, `.cancel`',
              `[Messages and their status](${paths.messageStatus})`,
            ],
            ['`client.optouts.list(filter)`', `Who has [opted out](${paths.receiving}#stop-and-start)`],
            [
              '`client.media.upload(file)`',
              `Stores a [picture](${paths.media}#upload), whose \`media_id\` messages then name`,
            ],
            [
              '`client.media.download(id)`',
              `A [file that came with a reply](${paths.receiving}), or one of yours, as a stream`,
            ],
            ['`client.notifications.list()`', 'What needs your attention now'],
            ['`client.batches.get`, `.list`, `.messages`, `.cancel`', `[Batches](${paths.bulk})`],
            [
              '`client.deliverability(range)`',
              `[What was delivered and what was not](${paths.deliveryErrors}), by reason, country, day and key`,
            ],
            [
              '`client.numbers.available(filter)`, `buy(request)`, `list()`, `get(id)`, `change(id, request)`, ' +
                '`release(id)`',
              `[Numbers of your own](${paths.numbers})`,
            ],
            ['`client.pools.put(request)`, `list()`, `get(id)`, `delete(id)`', 'Pools of them'],
            ['`client.balance()`', 'Your credits, and the budget of the key'],
            ['`client.spend({ from, to })`', 'What you spent, by month, day, key and country'],
            ['`client.exposure()`', 'What leaked keys could spend before you notice'],
            ['`client.events()`, `.trigger(type)`', 'Events as they happen, and test events'],
          ],
        ),
        code('Lists are read page by page', 'javascript', lists),
      ],
    },
    {
      title: 'Retries and errors',
      blocks: [
        list(
          'A call that lost its connection, or was answered 429 or 5xx, is repeated up to 3 times. ' +
            '`Retry-After` is honored. Other errors are never repeated.',
          `All tries of one call carry one [\`Idempotency-Key\`](${paths.idempotency}), so nothing is ` +
            'sent or charged twice.',
          'Each try has 30 seconds. `{ signal }` ends a call at any time.',
        ),
        code('Errors have a code', 'javascript', failures),
      ],
    },
    {
      title: 'Webhooks and events',
      blocks: [
        `\`verify\` checks the signature and the age of a [webhook](${paths.webhooks}), and returns ` +
          'its event. While you rotate the secret, pass both as a list.',
        code('Verify a webhook', 'javascript', hook),
        'Without a public URL, follow the events instead. A broken connection is opened again after ' +
          'the last event, so none is lost.',
        code('Follow the events', 'javascript', events),
      ],
    },
  ],
};
