import { colour } from './colour.js';

/** What the box shows of a running product. */
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

/** The links, framed, and below them the curls, unframed so that they can be copied. */
export function startedText(content: BoxContent): string {
  const rows: [string, string][] = [
    ['Pages', content.publicUrl],
    ...(content.usesSandbox
      ? ([
          ['Phone', `${content.sandboxUrl}/phone`],
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
    'What is left:',
    '',
    `curl '${content.publicUrl}/api/balance?apikey=${content.apiKey}'`,
    '',
    colour('grey', 'Ctrl-C stops everything. Your data stay in .data/.'),
  ].join('\n');
}

/** The first request of a newcomer: a US number that is kept for fiction. */
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
  const side = colour('yellow', '│');
  const row = (text: string, shown = text) => `${side} ${shown}${' '.repeat(width - text.length)} ${side}`;
  return [
    colour('yellow', `┌${bar}┐`),
    row(title, colour('bold', title)),
    colour('yellow', `├${bar}┤`),
    ...lines.map((line) => row(line)),
    colour('yellow', `└${bar}┘`),
  ].join('\n');
}
