import type { AccountEvent } from './event-types.js';
import { PennytextError } from './errors.js';
import { wait, type Transport } from './transport.js';
import { eventOf } from './webhooks.js';

export interface EventsOptions {
  /**
   * The `cursor` of an earlier event: the stream continues after it. Without it the stream begins
   * with the next event.
   */
  readonly after?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * Called when the stream is ready, and with the reason each time that it has to be opened again.
   */
  readonly onStatus?: ((status: 'ready' | 'reconnecting', reason?: PennytextError) => void) | undefined;
  /**
   * Called if events after the cursor are no longer kept. Without it the iteration ends with
   * `events_lost`.
   */
  readonly onGap?: (() => void) | undefined;
}

/**
 * An event as a webhook would carry it: post `body` with `headers` to forward it, signed as it
 * came.
 */
export type StreamedEvent = AccountEvent & {
  readonly id: string;
  /**
   * The stream continues after this event with `{ after: cursor }`. Empty for the examples of a
   * test key.
   */
  readonly cursor: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
};

interface Block {
  readonly fields: ReadonlyMap<string, string>;
  readonly comment: string | undefined;
}

/** The server writes every 15 seconds. */
const SILENCE_MS_MAX = 45_000;
const RETRY_MS_MAX = 30_000;

/**
 * Iterates over the account's events. A broken connection is opened again after the last event, so
 * that none is lost or repeated. Throws when the key does not work (any more), and the reason of
 * `signal`.
 * @internal
 */
export async function* streamEvents(transport: Transport, options: EventsOptions): AsyncGenerator<StreamedEvent, void> {
  const { signal, onStatus } = options;
  let cursor = options.after ?? '';
  let retryMs = 2_000;
  for (let failures = 0; ;) {
    const connection = new AbortController();
    const stop = () => connection.abort(signal?.reason);
    signal?.throwIfAborted();
    signal?.addEventListener('abort', stop, { once: true });
    try {
      const headers = { accept: 'text/event-stream', ...(cursor && { 'last-event-id': cursor }) };
      const response = await opened(transport, headers, connection);
      for await (const { fields, comment } of blocksOf(response, connection)) {
        failures = 0;
        if (comment === 'ready') onStatus?.('ready');
        const retry = fields.get('retry') ?? '';
        if (/^\d+$/.test(retry)) retryMs = Number(retry);
        const body = fields.get('data');
        if (body !== undefined) {
          const event = eventIn(fields, body, options);
          if (event) yield event;
        }
        // The cursor moves after the event was processed: a consumer that fails earlier can repeat
        // the event.
        cursor = fields.get('id') ?? cursor;
      }
      onStatus?.('reconnecting');
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof PennytextError) || !isPassing(error)) throw error;
      onStatus?.('reconnecting', error);
      retryMs = Math.max(retryMs, (error.retryAfterSeconds ?? 0) * 1_000);
    } finally {
      signal?.removeEventListener('abort', stop);
      connection.abort();
    }
    await wait(Math.min(retryMs * 2 ** failures++, RETRY_MS_MAX) * (0.5 + Math.random() / 2), signal);
  }
}

/** The connection must be answered, and then speak, within the time of the server's silence. */
async function opened(
  transport: Transport,
  headers: Readonly<Record<string, string>>,
  connection: AbortController,
): Promise<Response> {
  const timer = setTimeout(() => connection.abort(), SILENCE_MS_MAX);
  try {
    return await transport.open({ method: 'GET', path: '/api/events', headers }, connection.signal);
  } finally {
    clearTimeout(timer);
  }
}

function eventIn(fields: Block['fields'], body: string, { onGap }: EventsOptions): StreamedEvent | undefined {
  const type = fields.get('event');
  if (type === 'closed') {
    const { code, detail } = JSON.parse(body) as { code: string; detail: string };
    throw new PennytextError(code, detail, { status: 401 });
  }
  if (type === 'gap') {
    if (!onGap)
      throw new PennytextError('events_lost', 'Some events after the cursor are no longer kept.', { status: 410 });
    onGap();
    return undefined;
  }
  const headers = Object.fromEntries([...fields].filter(([name]) => name.startsWith('webhook-')));
  return { ...eventOf(body), id: headers['webhook-id'] ?? '', cursor: fields.get('id') ?? '', body, headers };
}

function isPassing({ status }: PennytextError): boolean {
  return status === undefined || status === 429 || status >= 500;
}

/**
 * Blocks of server-sent events (HTML standard, section 9.2.5), with all of their fields. Each ends
 * with an empty line.
 */
async function* blocksOf(response: Response, connection: AbortController): AsyncGenerator<Block, void> {
  let fields = new Map<string, string>();
  let comment: string | undefined;
  for await (const line of linesOf(response, connection)) {
    if (line === '') {
      yield { fields, comment };
      fields = new Map();
      comment = undefined;
    } else if (line.startsWith(':')) {
      comment = line.slice(1).trim();
    } else {
      const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
      const earlier = name === 'data' ? fields.get('data') : undefined;
      fields.set(name, earlier === undefined ? value : `${earlier}\n${value}`);
    }
  }
}

/** Throws `connection_failed` when the server is silent for too long or the connection breaks. */
async function* linesOf(response: Response, connection: AbortController): AsyncGenerator<string, void> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  if (!reader) return;
  // A `fetch` of the caller's own may not end its body with the signal. A body that has ended
  // cannot be canceled, and need not.
  connection.signal.addEventListener('abort', () => void reader.cancel().catch(() => undefined), { once: true });
  for (;;) {
    const timer = setTimeout(() => connection.abort(), SILENCE_MS_MAX);
    const { done, value } = await reader
      .read()
      .catch((cause: unknown) => {
        throw new PennytextError('connection_failed', 'The connection of the events broke.', { cause });
      })
      .finally(() => clearTimeout(timer));
    if (done) return;
    rest += decoder.decode(value, { stream: true });
    // A carriage return at the end may be the first half of a line's end.
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    yield* lines;
  }
}
