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
  if (error.code === 'recipient_opted_out') console.log('This person has replied STOP.');
  console.error(error.code, error.detail, error.status, error.requestId, error.retryAfterSeconds);
}`;

const lists = `for await (const message of client.messages.list({ status: 'undelivered' }))
  console.log(message.to, message.error_code);
const latest = await client.messages.list().take(10);`;

const pictures = `import { readFile, writeFile } from 'node:fs/promises';

const { media_id } = await client.media.upload(await readFile('photo.jpg'));
await client.send({ to: '+12025550142', message: 'Look at this', media: [{ media_id }] });
await client.send({ to: '+12025550142', media: [{ url: 'https://example.com/photo.jpg' }] });

const file = await client.media.download(media_id);
await writeFile(file.name, file.stream); // or await file.bytes()`;

const hook = `import { verify } from 'pennytext';

const event = await verify(body, headers, process.env.PENNYTEXT_WEBHOOK_SECRET);
if (event.type === 'message.received') console.log(event.data.Sender, event.data.Message);`;

const events = `for await (const event of client.events({ after: savedCursor })) {
  if (event.type === 'message.received') console.log(event.data.Sender, event.data.Message);
  savedCursor = event.cursor;
}`;

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
        `Fields and answers are those of the [API](${paths.apiReference}), without \`success\`, as failures are ` +
          'thrown; editors show what each one means. A phone number and a code are strings: a number throws a ' +
          '`TypeError` before anything is sent.',
        table(
          ['Call', 'Effect'],
          [
            [
              '`client.send(request)`',
              `[Sends a message](${paths.sendSms}); \`media\` makes it [one with pictures](${paths.media})`,
            ],
            ['`client.sendBulk(request)`', `[Sends up to 10,000 messages](${paths.bulk})`],
            [
              '`client.quote(request)`',
              `[Shows a price](${paths.prices}) without sending: of a message, a bulk, or a code with \`channels\``,
            ],
            [
              '`client.otp.send`, `.resend`, `.verify`, `.get`, `.list`, `.conversion`, `.guard`',
              `[One-time passwords](${paths.otp})`,
            ],
            [
              '`client.totp.create`, `.verify`, `.recoveryCodes`, `.get`, `.list`, `.delete`',
              `[Authenticator apps](${paths.totp})`,
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
        code('Files arrive as a stream, with their type, size and sha256', 'javascript', pictures),
      ],
    },
    {
      title: 'Retries and errors',
      blocks: [
        list(
          'A call that lost its connection, or was answered 429 or 5xx, is repeated up to 3 times (`maxRetries`), ' +
            'after growing waits that are partly random. `Retry-After` is honored; a wait of more than 30 seconds ' +
            '(`maxWaitMs`) fails at once instead. Other errors are never repeated.',
          `All tries of one call carry one [\`Idempotency-Key\`](${paths.idempotency}), so nothing is ` +
            'sent or charged twice. Pass your own `{ idempotencyKey }` as an option to be safe across restarts too.',
          '`error.outcomeUnknown` is true if a call that failed may have taken effect: make it again with ' +
            '`error.idempotencyKey` as its `idempotencyKey`.',
          '`otp.verify`, `totp.verify` and `totp.create` are repeated only after 429: a lost answer may have used ' +
            'the code, or made an authenticator.',
          'Each try has 30 seconds (`timeoutMs`), one of an upload two minutes, a download as long as it takes. A ' +
            'call ends after 60 seconds with all its tries and waits (`deadlineMs`), an upload after four minutes. ' +
            '`{ signal }` ends it at any time.',
        ),
        code('Errors have a code', 'javascript', failures),
        '`error.is(code)` compares the code. ' +
          `It is [one of the API](${paths.errors}), or \`unreachable\` (nothing was sent), \`connection_failed\`, ` +
          '`timed_out`, `invalid_answer`, `invalid_webhook` or `events_lost`. `error.fix` is [the call that would ' +
          `succeed](${paths.errors}#the-call-that-would-succeed), \`error.body\` the answer of the API.`,
      ],
    },
    {
      title: 'Webhooks and events',
      blocks: [
        `\`verify\` checks the signature and the age of a [webhook](${paths.webhooks}), and returns ` +
          'its event, or throws `invalid_webhook`. `body` is the request’s body as it came, a string or bytes; ' +
          '`headers` those of Node, Express or Fetch, or pairs. While you rotate the secret, pass both as a list. ' +
          '`event.id` is the same on every attempt: store it to process each event once.',
        code('Verify a webhook', 'javascript', hook),
        'Without a public URL, follow the events instead. A broken connection is opened again after the last event ' +
          'that your loop has processed, so none is lost. If events after the cursor are no longer kept, the loop ' +
          'throws `events_lost`; pass `onGap` to continue instead. `event.body` and `event.headers` are those of a ' +
          'webhook.',
        code('Follow the events', 'javascript', events),
      ],
    },
  ],
};
