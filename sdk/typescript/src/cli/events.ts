import type { EventsOptions, StreamedEvent } from '../events.js';
import type { MessageReceivedEvent } from '../event-types.js';
import type { Message } from '../message-types.js';
import { argument, type Command, type Context } from './command.js';
import { credits, number, plural } from './messages.js';
import { UsageError } from './terminal.js';

const FORWARD_TIMEOUT_MS = 10_000;
const SHOWN_TEXT_MAX = 60;
const after = {
  type: 'string',
  value: 'CURSOR',
  about: 'Begin after this event; the cursor is printed when the command ends. Events are kept for 3 days.',
} as const;

const listen: Command = {
  usage: 'listen',
  about: 'Print events as they happen, and forward them to a local server.',
  details: `Forwarded requests have the body and the signature of a webhook, so your code can verify them with the
webhook secret of the dashboard. No public URL is needed. Needs a key with the scope "read". Ctrl-C
ends it.`,
  options: {
    forward: {
      type: 'string',
      value: 'URL',
      about: 'Post each event to this URL, such as http://localhost:3000/hook.',
    },
    after,
  },
  async run(context, _args, values) {
    const url = urlOf(values.text('forward'));
    const { terminal } = context;
    await follow(context, values.text('after'), async (event) => {
      const answer = url && (await forward(url, event, context.signal));
      const { body, headers: _headers, ...rest } = event;
      terminal.print(
        { ...rest, body: JSON.parse(body) as object, ...(answer && { forwarded: answer }) },
        lineOf(event, answer),
      );
    });
  },
};

const logs: Command = {
  usage: 'logs',
  about: 'List the latest messages, and follow events.',
  details:
    'The oldest comes first. Times are UTC, CREDITS is what the message cost. Needs a key with the scope "read".',
  options: {
    follow: { type: 'boolean', about: 'Then print events as they happen. Ctrl-C ends it.' },
    limit: { type: 'string', value: 'COUNT', about: 'Messages to list: 20 unless you set it.' },
    status: { type: 'string', value: 'STATUS', about: 'Only messages in this state.' },
    to: { type: 'string', value: 'NUMBER', about: 'Only messages to this number.' },
    after: { ...after, about: `${after.about} Lists no messages.` },
  },
  async run(context, _args, values) {
    const { terminal, signal } = context;
    const list = async () => {
      const filter = { status: values.text('status') as Message['status'] | undefined, to: values.text('to') };
      const messages = await context
        .client()
        .messages.list(filter, { signal })
        .take(values.number('limit') ?? 20);
      terminal.heading(messages.length > 0 ? messageHeading : 'No messages.');
      for (const message of messages.reverse()) terminal.print(message, messageLine(message));
    };
    const cursor = values.text('after');
    if (!values.flag('follow')) return list();
    // The stream is open before the list is read, so that no event is missed.
    let listed: Promise<void> | undefined = cursor === undefined ? undefined : Promise.resolve();
    const onReady = () => (listed ??= list());
    await follow(
      context,
      cursor,
      async (event) => {
        await onReady();
        const { body, headers: _headers, ...rest } = event;
        terminal.print({ ...rest, body: JSON.parse(body) as object }, lineOf(event));
      },
      onReady,
    );
  },
};

const trigger: Command = {
  usage: 'trigger EVENT',
  about: 'Create a test event, such as message.delivered.',
  details:
    'It has example data and goes to every "pennytext listen" and to your webhook. Needs a key with the ' +
    'scope "webhooks".',
  async run({ client, terminal, signal }, args) {
    const type = argument(args, 0) as StreamedEvent['type'];
    const answer = await client().trigger(type, { signal });
    terminal.print(answer, `${answer.event_id} ${type} created`);
  },
};

export const eventCommands = { logs, listen, trigger };

/** Hands every event over in order, until Ctrl-C. Prints the cursor at the end. */
async function follow(
  { client, terminal, signal }: Context,
  cursor: string | undefined,
  onEvent: (event: StreamedEvent) => Promise<void>,
  onReady: () => Promise<void> | undefined = () => undefined,
): Promise<void> {
  let last = cursor;
  const failed = new AbortController();
  const options: EventsOptions = {
    after: cursor,
    signal: AbortSignal.any([signal, failed.signal]),
    onStatus: (status, reason) => {
      terminal.note(status === 'ready' ? 'Listening.' : `Reconnecting${reason ? `: ${reason.detail}` : ''} …`);
      if (status === 'ready') onReady()?.catch((error: unknown) => failed.abort(error));
    },
    onGap: () => terminal.note('Some events are no longer kept: see "pennytext logs".'),
  };
  try {
    for await (const event of client().events(options)) {
      await onEvent(event);
      last = event.cursor || last;
    }
  } finally {
    if (last) terminal.note(`Continue with --after ${last}`);
  }
}

function urlOf(text: string | undefined): URL | undefined {
  if (text === undefined) return undefined;
  if (URL.canParse(text) && /^https?:/.test(text)) return new URL(text);
  throw new UsageError('--forward is a URL, such as http://localhost:3000/hook.');
}

interface Forwarded {
  readonly status: number | null;
  readonly error?: string;
}

async function forward(url: URL, { body, headers }: StreamedEvent, signal: AbortSignal): Promise<Forwarded> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(FORWARD_TIMEOUT_MS)]),
    });
    await response.body?.cancel();
    return { status: response.status };
  } catch (error) {
    signal.throwIfAborted();
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return { status: null, error: cause instanceof Error ? cause.message || cause.name : String(cause) };
  }
}

function lineOf(event: StreamedEvent, forwarded?: Forwarded): string {
  const time = 'timestamp' in event ? event.timestamp : event.data.DateTime;
  const answer = forwarded ? ` -> ${forwarded.status ?? forwarded.error}` : '';
  return `${time} ${event.type} ${subjectOf(event)}${answer}`;
}

function subjectOf(event: StreamedEvent): string {
  if (event.type === 'message.received')
    return `${event.data.MessageId} from ${event.data.Sender}: ${receivedText(event.data)}`;
  if (event.type === 'message.media_ready')
    return `${event.data.message_id} from ${event.data.sender}: ${plural(event.data.media.length, 'file')}`;
  if ('message_id' in event.data) return `${event.data.message_id} to ${event.data.to}`;
  if ('otp_id' in event.data) return `${event.data.otp_id} to ${event.data.to}`;
  if ('number_id' in event.data) return `${event.data.number_id} ${event.data.number}`;
  return 'balance' in event.data ? `balance ${credits(event.data.balance)}` : `spent ${credits(event.data.spent)}`;
}

/** A reply may be files alone. */
function receivedText({ Message: text, Media: files = [] }: MessageReceivedEvent['data']): string {
  const words = files.length === 0 ? [] : [`[${plural(files.length, 'file')}]`];
  return [...(text === '' ? [] : [short(text)]), ...words].join(' ');
}

const row = (...cells: readonly string[]) =>
  cells.map((cell, place) => cell.padEnd(columnWidths[place] ?? 0)).join(' ');
/** Widths of a time, an id, a number, a status and a count; texts come last. */
const columnWidths = [24, 34, 16, 11, 7];
const messageHeading = row('ACCEPTED (UTC)', 'MESSAGE ID', 'TO', 'STATUS', 'CREDITS', 'TEXT');

function messageLine({ created_at: at, message_id: id, to, status, credits: price, message }: Message): string {
  return row(at, id, to, status, number(price), short(message));
}

/** One line without control characters, which could change the terminal. */
export function short(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  return line.length > SHOWN_TEXT_MAX ? `${line.slice(0, SHOWN_TEXT_MAX - 1)}…` : line;
}
