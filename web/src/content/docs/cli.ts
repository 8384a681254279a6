import { paths } from '../../paths.js';
import { site } from '../../site.js';
import { code, list, type Page, table } from '../page.js';
import { globally, install } from './install.js';

const login = `npx pennytext login --url ${site.url}
npx pennytext send +12025550142 "Hello from Pennytext"`;

const ownNumber = `npx pennytext numbers search --area-code 212 --limit 3
npx pennytext numbers buy +12125550143 --label Shop
npx pennytext send --from +12125550143 +12025550142 "Hello from Pennytext"`;

const pool = `npx pennytext pools put Shop --numbers +12125550143,+13125550144
npx pennytext pools list`;

export const cli: Page = {
  path: paths.cli,
  title: 'Command line',
  description:
    'Send messages, bulks from CSV files and one-time passwords, follow events, and forward webhooks to your machine.',
  intro: [
    `The command \`pennytext\` is part of the [npm package](${paths.sdk}). \`pennytext --help\` lists the commands, ` +
      'and `pennytext COMMAND --help` their options.',
  ],
  sections: [
    {
      ...install,
      blocks: [
        ...install.blocks,
        '`npx pennytext` then runs the command in that folder. Without the installation, `npx` would run ' +
          'whatever the public registry has under this name.',
        globally,
      ],
    },
    {
      title: 'Log in and send',
      blocks: [
        code('Log in and send', 'bash', login),
        '`login` asks for the API key without showing it, and saves it so that only you can read it, in ' +
          '`$XDG_CONFIG_HOME/pennytext` or `~/.config/pennytext`, on macOS in `~/Library/Application ' +
          'Support/pennytext`. `PENNYTEXT_URL` and `PENNYTEXT_API_KEY` take precedence. Keys are never read from ' +
          'arguments, which other users of the machine can see.',
      ],
    },
    {
      title: 'Commands',
      blocks: [
        table(
          ['Command', 'Effect'],
          [
            [
              '`send TO TEXT`',
              `Sends a message; TEXT of \`-\` is standard input. \`--send-at\` [later](${paths.scheduling}), ` +
                `\`--from\` [from a number of yours](${paths.numbers}#send-from-it)`,
            ],
            [
              '`send TO [TEXT] --media FILE`',
              `Sends [pictures](${paths.media}): a path, an id or a URL; may be repeated, and works with \`bulk\` too`,
            ],
            ['`quote TO TEXT`', `Shows the [price](${paths.prices}); takes \`--media\` too`],
            ['`bulk list.csv`', `Shows the price of a [bulk](${paths.bulk}), asks, sends it and shows the progress`],
            [
              '`otp send TO`, `otp quote TO`, `otp resend ID`, `otp verify CODE --otp-id ID`',
              `[One-time passwords](${paths.otp}); \`--channel sms:45 --channel voice\` sends, or prices, by ` +
                `[channels in order](${paths.otp}#channels-in-order); \`verify\` ends with 0 only if the ` +
                'code is verified',
            ],
            ['`otp list`, `otp conversion`', 'The latest codes, never their digits; how many were verified'],
            [
              '`totp create LABEL`, `totp verify ID CODE`, `recovery-codes`, `list`, `show`, `delete`',
              `[Authenticator apps](${paths.totp}); \`--svg FILE\` saves the QR code`,
            ],
            ['`status ID`, `cancel ID`', 'A message, a bulk or a one-time password'],
            ['`media upload FILE`', `Stores a [picture](${paths.media}#upload), and prints the id that messages name`],
            [
              '`media download ID`',
              `Saves a [file that came with a reply](${paths.receiving}), or one of yours; \`--out -\` prints it`,
            ],
            ['`optouts [NUMBER]`', `The people who have [opted out](${paths.receiving}#stop-and-start), newest first`],
            ['`numbers search`, `buy`, `list`, `show`, `release`', `[Numbers of your own](${paths.numbers})`],
            ['`pools list`, `put`, `delete`', 'Pools of them'],
            ['`balance`', 'Your credits'],
            ['`spend`', 'What you spent, by month and key'],
            ['`exposure`', 'What leaked keys could spend before you notice, and what lowers it'],
            ['`logout`', 'Deletes the saved key'],
            ['`logs --follow`', 'The latest messages, then events as they happen'],
            ['`listen --forward http://localhost:3000/hook`', 'Forwards every event to your machine'],
            ['`trigger message.delivered`', 'Creates a test event'],
            ['`ledger verify FILE`', `[Proves](${paths.verifyLedger}) that an exported ledger is unchanged`],
            ['`mcp`', `[Serves tools to AI assistants](${paths.mcp})`],
            ['`completion bash`', 'Completion for bash, zsh or fish'],
          ],
        ),
      ],
    },
    {
      title: 'Bulks from a file',
      blocks: [
        list(
          'The first line of the file names the columns: `to` and `message`, perhaps `reference`. With ' +
            '`--message "Hi {{name}}, …"` every column is a variable.',
          'All rows are sent or none, unless `--partial` is given. The price that was shown is the highest that is ' +
            'charged. Without a terminal add `--yes`.',
          'The file is read as the dashboard reads it: with commas, semicolons, tabs or bars, after Excel’s `sep=` ' +
            'too, in UTF-8, UTF-16 or Windows-1252.',
        ),
      ],
    },
    {
      title: 'Numbers of your own',
      blocks: [
        code('Search, buy and send', 'bash', ownNumber),
        list(
          '`search` prints up to 20 numbers with their prices; `--limit` sets another count. Further filters: ' +
            '`--country`, `--type` and `--contains`.',
          '`buy` shows the price and asks. In a script add `--yes`: it then buys without asking. `--no-renew` keeps ' +
            'the number for one month.',
          '`list` prints your numbers and when each one renews or ends; `show` and `release` take the id that it ' +
            'prints. `release --at-end` waits for the end of the paid month.',
          'The key needs the scope `numbers`.',
        ),
        code('Put numbers into a pool', 'bash', pool),
        `\`put\` creates a [pool](${paths.numbers}#pools), or gives the pool of this name other numbers. \`--from\` ` +
          'takes the id that it prints.',
      ],
    },
    {
      title: 'Develop webhooks on your machine',
      blocks: [
        code('Forward events', 'bash', 'npx pennytext listen --forward http://localhost:3000/hook'),
        list(
          `Requests have the body and the signature of a [webhook](${paths.webhooks}), so your code ` +
            'can verify them with the secret of the dashboard. No public URL is needed.',
          'The status code of every forwarded event is printed.',
          'After a broken connection it continues with the next event, as `logs --follow` does. At the end it ' +
            'prints a cursor for `--after`, which continues there within 3 days.',
        ),
      ],
    },
    {
      title: 'Scripts',
      blocks: [
        list(
          'Results go to standard output, all else to standard error. `--json` prints one object per line.',
          'On a pipe there are no colors and no progress bar.',
          'Exit codes: 0 done, 1 refused, 2 wrong usage, 3 no connection, 130 interrupted.',
          'If an answer was lost, the command prints the `--idempotency-key` with which you can repeat it safely.',
        ),
      ],
    },
  ],
};
