import type { Pennytext } from '../client.js';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { PennytextError } from '../errors.js';
import { type Terminal, UsageError } from './terminal.js';
import { argument, textOf, type Command, type Option } from './command.js';

/** Options of messages and bulks, by the names of the API with dashes. */
export const sendingOptions: Readonly<Record<string, Option>> = {
  from: { type: 'string', value: 'NUMBER', about: 'A number of yours, or the id of one or of a pool.' },
  encoding: { type: 'string', value: 'ENCODING', about: 'auto, gsm7 or smart (replaces typographic characters).' },
  'send-at': { type: 'string', value: 'TIME', about: 'Send later: YYYY-MM-DDThh:mm:ss-05:00, with your offset.' },
  validity: {
    type: 'string',
    value: 'SECONDS',
    about: 'Fail and refund if the carrier does not have it within this time.',
  },
  delivery: { type: 'string', value: 'DELIVERY', about: 'once or fast (another route also in doubt).' },
  'hedge-seconds': { type: 'string', value: 'SECONDS', about: 'With fast: wait so long for a receipt.' },
  'max-credits': { type: 'string', value: 'CREDITS', about: 'Refuse a higher price.' },
  dedupe: { type: 'string', value: 'SECONDS', about: 'Do not send what was sent within this time.' },
  media: {
    type: 'string',
    value: 'FILE',
    isList: true,
    about: 'Send this picture or other file too; a path, an id or a URL. May be repeated.',
  },
  'media-fallback': {
    type: 'string',
    value: 'FALLBACK',
    about: 'Where pictures cannot be sent: refuse, or link (a text with links).',
  },
  'no-transcode': { type: 'boolean', about: 'Refuse pictures that are too large, and do not make them smaller.' },
  'idempotency-key': {
    type: 'string',
    value: 'KEY',
    about: 'Repeat safely: the same key and content send once in 24 hours.',
  },
};

type Values = Parameters<Command['run']>[2];

export const sendingFields = (values: Values) => ({
  from: values.text('from'),
  encoding: encodingOf(values.text('encoding')),
  send_at: values.text('send-at'),
  validity: values.number('validity'),
  delivery: deliveryOf(values.text('delivery')),
  hedge_seconds: values.number('hedge-seconds'),
  max_credits: values.number('max-credits'),
  dedupe: values.number('dedupe'),
  media_fallback: fallbackOf(values.text('media-fallback')),
  transcode: values.flag('no-transcode') ? false : undefined,
});

const encodings = ['auto', 'gsm7', 'smart'] as const;

function encodingOf(text: string | undefined): (typeof encodings)[number] | undefined {
  const found = encodings.find((one) => one === text);
  if (text !== undefined && !found) throw new UsageError('--encoding is auto, gsm7 or smart.');
  return found;
}

function deliveryOf(text: string | undefined): 'once' | 'fast' | undefined {
  if (text !== undefined && text !== 'once' && text !== 'fast') throw new UsageError('--delivery is once or fast.');
  return text;
}

function fallbackOf(text: string | undefined): 'refuse' | 'link' | undefined {
  if (text !== undefined && text !== 'refuse' && text !== 'link')
    throw new UsageError('--media-fallback is refuse or link.');
  return text;
}

/** The files of --media as the API takes them; local files are uploaded. */
export async function mediaFields(values: Values, client: Pennytext, signal: AbortSignal) {
  const media: ({ url: string } | { media_id: string })[] = [];
  for (const given of values.list('media')) {
    if (/^https?:\/\//.test(given)) media.push({ url: given });
    else if (/^ME[0-9a-f]{32}$/.test(given)) media.push({ media_id: given });
    else {
      const { media_id } = await client.media.upload(bytesOf(given), { signal });
      media.push({ media_id });
    }
  }
  return media.length > 0 ? { media } : {};
}

/** Throws {@link UsageError} for a file that cannot be read. */
export function bytesOf(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/**
 * Names the key by which the same call can be repeated when its answer was lost. Throws the error.
 */
export function noteRepetition(error: unknown, idempotencyKey: string, terminal: Terminal): never {
  const { status } = error instanceof PennytextError ? error : { status: undefined };
  if (status === undefined || status >= 500)
    terminal.note(`It may have been sent. Repeat it safely with --idempotency-key ${idempotencyKey}`);
  throw error;
}

export const number = (count: number) => count.toLocaleString('en-US');
export const credits = (count: number) => plural(count, 'credit');
export const plural = (count: number, word: string) => `${number(count)} ${word}${count === 1 ? '' : 's'}`;

/** Options of a message that a quote has too. */
const quoteOptions = ['encoding', 'media', 'media-fallback'] as const;

const send: Command = {
  usage: 'send TO [TEXT]',
  about: 'Send a message.',
  details:
    'TO is a number with + and country code. TEXT of - is read from standard input. Write -- before a ' +
    'TEXT that begins with -. With --media it may be left out.',
  options: {
    ...sendingOptions,
    reference: { type: 'string', value: 'TEXT', about: 'Your own reference, shown in answers and webhooks.' },
    quote: { type: 'string', value: 'QUOTE', about: 'A quote: the message costs at most its price.' },
  },
  async run({ client, terminal, signal }, args, values) {
    const message = await textOf(textIn('send', args, values), terminal);
    const request = {
      to: argument(args, 0),
      message,
      reference: values.text('reference'),
      quote: values.text('quote'),
    };
    const idempotencyKey = values.text('idempotency-key') ?? randomUUID();
    const connected = client();
    const media = await mediaFields(values, connected, signal);
    const answer = await connected
      .send({ ...request, ...sendingFields(values), ...media }, { signal, idempotencyKey })
      .catch((error: unknown) => noteRepetition(error, idempotencyKey, terminal));
    const what = answer.status === 'scheduled' ? `scheduled for ${answer.send_at}` : 'accepted';
    const test = answer.test ? ' Test key: nothing was sent or charged.' : '';
    terminal.print(
      answer,
      `${answer.message_id} ${what}: ${answer.kind === 'mms' ? 'MMS' : plural(answer.segments, 'segment')}, ` +
        `${credits(answer.credits)}, ${credits(answer.balance)} left.${test}`,
    );
  },
};

/** The text of a message, optional with files. Throws {@link UsageError}. */
function textIn(command: 'send' | 'quote', args: readonly string[], values: Values): string {
  const [, text] = args;
  if (text !== undefined) return text;
  if (values.list('media').length === 0) throw new UsageError(`Usage: pennytext ${command} TO TEXT`);
  return '';
}

const quote: Command = {
  usage: 'quote TO [TEXT]',
  about: 'Show the price of a message; sends nothing.',
  details:
    'TO is a number with + and country code. TEXT of - is read from standard input; with --media it may be left ' +
    'out. The quote on the last line holds the price for ten minutes: pennytext send --quote QUOTE TO TEXT.',
  options: Object.fromEntries(quoteOptions.map((name) => [name, sendingOptions[name] as Option])),
  async run({ client, terminal, signal }, args, values) {
    const message = await textOf(textIn('quote', args, values), terminal);
    const connected = client();
    const request = {
      to: argument(args, 0),
      message,
      encoding: encodingOf(values.text('encoding')),
      media_fallback: fallbackOf(values.text('media-fallback')),
      ...(await mediaFields(values, connected, signal)),
    };
    const answer = await connected.quote(request, { signal });
    const encoded = answer.encoding === 'UCS-2' ? 'Unicode (UCS-2)' : answer.encoding;
    const what = answer.kind === 'mms' ? 'MMS' : `${plural(answer.segments, 'segment')} in ${encoded}`;
    // A file that is uploaded again has another id, for which the quote does not hold.
    const files = (request.media ?? []).map((file) => ` --media ${'url' in file ? file.url : file.media_id}`);
    terminal.print(
      answer,
      `${credits(answer.credits)}: ${what} to ${answer.country}.`,
      ...(answer.unsupported_characters.length > 0 ? [`Not in GSM-7: ${answer.unsupported_characters.join(' ')}`] : []),
      answer.balance_after === null
        ? `Your balance of ${credits(answer.balance)} does not cover it.`
        : `${credits(answer.balance_after)} would be left.`,
      '',
      `Held until ${answer.expires_at} with${files.join('')} --quote:`,
      answer.quote,
    );
  },
};

const balance: Command = {
  usage: 'balance',
  about: 'Show your credits.',
  async run({ client, terminal, signal }) {
    const answer = await client().balance({ signal });
    const frozen = answer.frozen ? `, ${number(answer.frozen)} of them frozen` : '';
    const totals = `${number(answer.purchased)} added, ${number(answer.used)} used`;
    terminal.print(answer, `${credits(answer.balance)}${frozen} (${totals})`);
  },
};

const spend: Command = {
  usage: 'spend',
  about: 'Show what you spent, by month and key.',
  options: {
    from: { type: 'string', value: 'DAY', about: 'First day in New York, YYYY-MM-DD; six months by default.' },
    to: { type: 'string', value: 'DAY', about: 'Last day in New York; today by default.' },
  },
  async run({ client, terminal, signal }, _args, values) {
    const answer = await client().spend({ from: values.text('from'), to: values.text('to') }, { signal });
    const lines = answer.months.flatMap(({ month, spent, keys }) => [
      `${month}  ${credits(spent)}`,
      ...keys.map((key) => `  ${keyTitle(key)}: ${credits(key.spent)}`),
    ]);
    terminal.print(
      answer,
      ...lines,
      `${answer.from} to ${answer.to}: ${credits(answer.spent)} (${number(answer.charged)} charged, ` +
        `${number(answer.refunded)} refunded)`,
    );
  },
};

const exposure: Command = {
  usage: 'exposure',
  about: 'Show what could be spent before you notice if all your keys leaked, and what lowers it.',
  async run({ client, terminal, signal }) {
    const answer = await client().exposure({ signal });
    terminal.print(
      answer,
      `If all keys leaked now, at most ${credits(answer.credits)} could be spent before you notice.`,
      ...answer.switches.map((one) => `  ${one.text} (then ${credits(one.credits)})`),
    );
  },
};

function keyTitle({ key_id, name }: { key_id: string | null; name: string | null }): string {
  return key_id === null ? 'Your account’s own key' : (name ?? `Revoked key ${key_id}`);
}

const status: Command = {
  usage: 'status ID',
  about: 'Show a message (SM…), a bulk (BA…) or a one-time password (OT…).',
  async run({ client, terminal, signal }, args) {
    const id = argument(args, 0);
    if (id.startsWith('BA')) return printBatch(await client().batches.get(id, { signal }));
    if (id.startsWith('OT')) return printOtp(await client().otp.get(id, { signal }));
    const message = await client().messages.get(id, { signal });
    const error = message.reason ? ` (${message.reason.text}, ${message.reason.code})` : '';
    terminal.print(
      message,
      `${message.message_id} to ${message.to}: ${message.status}${error}`,
      `${credits(message.credits)}, ${number(message.refunded)} refunded; accepted ${message.created_at}`,
      ...(message.send_at ? [`Leaves ${message.send_at}`] : []),
    );

    function printBatch(batch: Awaited<ReturnType<Pennytext['batches']['get']>>): void {
      const counts = Object.entries(batch.statuses).filter(([, count]) => count > 0);
      terminal.print(
        batch,
        `${batch.batch_id}: ${plural(batch.messages, 'message')}, ${credits(batch.credits)}, ` +
          `${number(batch.refunded)} refunded`,
        ...counts.map(([name, count]) => `  ${name.padEnd(12)} ${number(count)}`),
      );
    }

    function printOtp(otp: Awaited<ReturnType<Pennytext['otp']['get']>>): void {
      terminal.print(
        otp,
        `${otp.otp_id} to ${otp.to}: ${otp.status}, ${plural(otp.attempts_left, 'attempt')} left`,
        ...otp.steps.map(({ n, channel, to, outcome, reason, credits: price }) => {
          const entered = n === otp.entered_step ? ', entered' : '';
          return `  ${n}. ${channel} to ${to}: ${outcome}${reason ? ` (${reason})` : ''}, ${credits(price)}${entered}`;
        }),
      );
    }
  },
};

const cancel: Command = {
  usage: 'cancel ID',
  about: 'Cancel a message (SM…) or a bulk (BA…) that waits, and refund it.',
  async run({ client, terminal, signal }, args) {
    const id = argument(args, 0);
    if (id.startsWith('BA')) {
      const batch = await client().batches.cancel(id, { signal });
      terminal.print(
        batch,
        `${batch.batch_id}: ${number(batch.canceled)} canceled, ${credits(batch.refunded)} refunded`,
      );
    } else {
      const message = await client().messages.cancel(id, { signal });
      terminal.print(message, `${message.message_id}: ${message.status}, ${credits(message.refunded)} refunded`);
    }
  },
};

const optouts: Command = {
  usage: 'optouts [NUMBER]',
  about: 'List the people who have opted out, newest first.',
  details: 'Those whom you have texted and who replied STOP. NUMBER: of this person alone.',
  options: {
    sender: { type: 'string', value: 'NUMBER', about: 'Those who opted out of this sender.' },
    since: { type: 'string', value: 'TIME', about: 'From this time on: YYYY-MM-DDThh:mm:ss-05:00, with your offset.' },
    until: { type: 'string', value: 'TIME', about: 'Before this time.' },
    all: { type: 'boolean', about: 'Those who have opted in again, too.' },
  },
  async run({ client, terminal, signal }, [person], values) {
    const filter = {
      number: person,
      sender: values.text('sender'),
      since: values.text('since'),
      until: values.text('until'),
      status: values.flag('all') ? ('all' as const) : undefined,
    };
    let count = 0;
    for await (const optOut of client().optouts.list(filter, { signal })) {
      const from = optOut.sender ?? 'all numbers';
      const why = optOut.word ?? (optOut.source === 'carrier' ? 'known to the carrier' : '');
      const again = optOut.status === 'opted_in' ? `opted in again ${optOut.opted_in_at ?? ''}`.trimEnd() : '';
      terminal.print(optOut, [optOut.number, from, optOut.opted_out_at, why, again].filter(Boolean).join('  '));
      count += 1;
    }
    if (count === 0) terminal.note('No opt-outs.');
  },
};

export const messageCommands = { send, quote, balance, spend, exposure, status, cancel, optouts };
