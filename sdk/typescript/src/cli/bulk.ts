import { randomUUID } from 'node:crypto';
import type { BatchAnswer, BulkQuote } from '../bulk-types.js';
import type { BulkMessage, BulkRecipient, Pennytext, SendBulkRequest } from '../client.js';
import { PennytextError } from '../errors.js';
import { wait } from '../transport.js';
import { argument, type Command } from './command.js';
import { pipedText, readText, recordsOf } from './csv.js';
import { credits, mediaFields, noteRepetition, number, plural, sendingFields, sendingOptions } from './messages.js';
import { type Terminal, UsageError } from './terminal.js';

const EXIT_DECLINED = 1;
const POLL_MS = 1_000;
const SHOWN_REJECTIONS_MAX = 10;

export const bulk: Command = {
  usage: 'bulk FILE.csv',
  about: 'Send the messages of a CSV file, after showing the price.',
  details: `The first line names the columns: "to" and "message", perhaps "reference". With --message every column is a
variable of the template, such as "Hi {{name}}, your order is ready." Up to 10,000 rows; - reads standard input.
All messages are sent or none, unless --partial is given. Without a terminal, --yes is needed.`,
  options: {
    message: { type: 'string', value: 'TEMPLATE', about: 'The text for all rows, with {{columns}}.' },
    partial: { type: 'boolean', about: 'Send what can be sent, and list the rest.' },
    yes: { type: 'boolean', about: 'Do not ask.' },
    wait: { type: 'boolean', about: 'Wait until all messages have ended (the default in a terminal).' },
    'no-wait': { type: 'boolean', about: 'Do not wait.' },
    ...sendingOptions,
  },
  async run({ client: connect, terminal, signal }, args, values) {
    const client = connect();
    const isPiped = argument(args, 0) === '-';
    const text = isPiped ? await pipedText(terminal) : readText(argument(args, 0), terminal);
    const partial = values.flag('partial') || undefined;
    const content = contentOf(text, values.text('message'));
    const fields = { ...sendingFields(values), ...(await mediaFields(values, client, signal)) };
    const request: SendBulkRequest = { ...content, ...fields, partial };
    const quote = await quoted(client, request, terminal, signal);
    const ask = !values.flag('yes');
    if (ask && (isPiped || !terminal.isInteractive))
      throw new UsageError('Nothing was sent: add --yes to send without a question.');
    if (ask && !(await terminal.confirm(`Send ${plural(quote.messages, 'message')} for ${credits(quote.credits)}?`))) {
      terminal.note('Nothing was sent.');
      return EXIT_DECLINED;
    }
    // Replaces the quote, which differs each time: a repetition must have the same body.
    const body = { ...request, max_credits: request.max_credits ?? quote.credits };
    const idempotencyKey = values.text('idempotency-key') ?? randomUUID();
    const sent = await client
      .sendBulk(body, { signal, idempotencyKey })
      .catch((error: unknown) => noteRepetition(error, idempotencyKey, terminal));
    terminal.print(
      sent,
      `${sent.batch_id}: ${number(sent.accepted)} accepted, ${number(sent.rejected.length)} rejected, ` +
        `${credits(sent.credits)}, ${credits(sent.balance)} left.`,
    );
    const isLater = sent.test || values.text('send-at') !== undefined;
    if (!isLater && !values.flag('no-wait') && (values.flag('wait') || terminal.isInteractive))
      await follow(client, sent.batch_id, terminal, signal);
  },
};

function contentOf(
  text: string,
  template: string | undefined,
): { messages: BulkMessage[] } | { message: string; recipients: BulkRecipient[] } {
  const rows = recordsOf(text);
  const [first] = rows;
  if (!first) throw new UsageError('The file has no rows after the first line.');
  for (const name of template === undefined ? ['to', 'message'] : ['to'])
    if (!(name in first)) throw new UsageError(`The file has no column "${name}".`);
  if (template !== undefined)
    return { message: template, recipients: rows.map((row) => ({ ...row, to: row['to'] ?? '' })) };
  return {
    messages: rows.map(({ to = '', message = '', reference }) => ({ to, message, ...(reference && { reference }) })),
  };
}

/**
 * Shows the price and the rows that would be rejected. Throws the API's refusal after listing the
 * rejected rows.
 */
async function quoted(
  client: Pennytext,
  request: SendBulkRequest,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<BulkQuote> {
  try {
    const quote = await client.quote(request, { signal });
    showRejected(quote.rejected, terminal);
    terminal.note(
      `${plural(quote.messages, 'message')}, ${plural(quote.segments, 'segment')}, ${credits(quote.credits)}; ${
        quote.balance_after === null
          ? `your balance of ${credits(quote.balance)} does not cover it`
          : `${credits(quote.balance_after)} would be left`
      }.`,
    );
    return quote;
  } catch (error) {
    if (error instanceof PennytextError && error.body && 'rejected' in error.body)
      showRejected(error.body.rejected, terminal);
    throw error;
  }
}

function showRejected(rejected: BulkQuote['rejected'], terminal: Terminal): void {
  for (const { index, to, code, detail } of rejected.slice(0, SHOWN_REJECTIONS_MAX))
    terminal.note(`Row ${index + 1} (${to}): ${code}: ${detail}`);
  const more = rejected.length - SHOWN_REJECTIONS_MAX;
  if (more > 0) terminal.note(`… and ${number(more)} more`);
}

/** Draws the progress until every message has ended. */
async function follow(client: Pennytext, batchId: string, terminal: Terminal, signal: AbortSignal): Promise<void> {
  for (;;) {
    const batch = await client.batches.get(batchId, { signal });
    const { delivered, undelivered, failed, canceled } = batch.statuses;
    const ended = delivered + undelivered + failed + canceled;
    terminal.progress(ended, batch.messages, `${number(delivered)} delivered, ${number(undelivered + failed)} failed`);
    if (ended >= batch.messages) return end(batch, terminal);
    await wait(POLL_MS, signal);
  }
}

function end(batch: BatchAnswer, terminal: Terminal): void {
  terminal.endProgress();
  const { delivered, undelivered, failed } = batch.statuses;
  terminal.print(
    batch,
    `${number(delivered)} delivered, ${number(undelivered)} undelivered, ${number(failed)} failed, ` +
      `${credits(batch.refunded)} refunded.`,
  );
}
