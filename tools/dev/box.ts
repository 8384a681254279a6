import { styleText } from 'node:util';

export interface BoxContent {
  publicUrl: string;
  sandboxUrl: string;
  workerUrl: string;
  apiKey: string;
  demoEmail: string;
  usesSandbox: boolean;
  queue: 'redis' | 'postgres';
  tookMs: number;
}

/** The links in a frame, and below it the curls, unframed so that they can be copied. */
export function startedText(content: BoxContent): string {
  const rows: [string, string][] = [
    ['Pages', content.publicUrl],
    ...(content.usesSandbox
      ? ([
          ['Phone', `${content.sandboxUrl}/phone`],
          ['Carriers', `${content.sandboxUrl}/carriers`],
          ['Mailbox', `${content.sandboxUrl}/mail`],
          ['Webhooks', `${content.sandboxUrl}/hooks`],
        ] satisfies [string, string][])
      : []),
    ['API', `${content.publicUrl}/api/sendsms`],
    ['Health', `${content.publicUrl}/readyz  ${content.workerUrl}/readyz`],
    ['Demo account', `${content.demoEmail}  ${content.apiKey}`],
    ['Queue', content.queue === 'redis' ? 'Redis' : 'Postgres (slower: install redis-server for Redis)'],
  ];
  const title = `Pennytext is ready (${(content.tookMs / 1000).toFixed(1)} s)`;
  return [
    frame(title, rows),
    '',
    content.usesSandbox
      ? 'Send a message, and see it on the phone:'
      : 'Send a message (Twilio is real here: it costs money):',
    '',
    sendCurl(content),
    '',
    'See the balance:',
    '',
    `curl '${content.publicUrl}/api/balance?apikey=${content.apiKey}'`,
    '',
    color('gray', 'Ctrl-C stops everything. Your data stays in .data/.'),
  ].join('\n');
}

/** The first request of a new user, to a US number reserved for fiction. */
export function sendCurl({ publicUrl, apiKey }: Pick<BoxContent, 'publicUrl' | 'apiKey'>): string {
  return [
    `curl ${publicUrl}/api/sendsms \\`,
    "  -d to='2025550142' \\",
    "  -d message='Hello from Pennytext' \\",
    `  -d apikey='${apiKey}'`,
  ].join('\n');
}

function frame(title: string, rows: [string, string][]): string {
  const nameWidth = Math.max(...rows.map(([name]) => name.length)) + 2;
  const lines = rows.map(([name, value]) => `${name.padEnd(nameWidth)}${value}`);
  const width = Math.max(title.length, ...lines.map((line) => line.length));
  const bar = '─'.repeat(width + 2);
  const side = color('yellow', '│');
  const row = (text: string, shown = text) => `${side} ${shown}${' '.repeat(width - text.length)} ${side}`;
  return [
    color('yellow', `┌${bar}┐`),
    row(title, color('bold', title)),
    color('yellow', `├${bar}┤`),
    ...lines.map((line) => row(line)),
    color('yellow', `└${bar}┘`),
  ].join('\n');
}

/**
 * Wraps text in terminal colors when standard output shows them (a TTY, and NO_COLOR unset:
 * https://no-color.org).
 */
export function color(format: Parameters<typeof styleText>[0], text: string): string {
  return process.stdout.isTTY && !process.env['NO_COLOR'] ? styleText(format, text) : text;
}

const colors = { server: 'cyan', worker: 'magenta', sandbox: 'yellow', postgres: 'blue', redis: 'red' } as const;
const nameWidth = 8;

/** Prints a line under a program's name. */
export function say(name: string, line: string): void {
  const format = Object.entries(colors).find(([known]) => known === name)?.[1] ?? 'gray';
  console.log(`${color(format, name.padEnd(nameWidth))} ${line}`);
}
