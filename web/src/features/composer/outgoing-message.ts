import { limits } from '#contract/limits.js';
import type { SmsEncoding } from '#contract/messages.js';
import { newYorkMoment } from '../../ui/format.js';
import type { ApiFailure } from '../../api/api-failure.js';

/**
 * Send time of a message: at once, or the picked local time 'YYYY-MM-DDTHH:mm', which may be empty.
 */
export type SendTime = { readonly kind: 'now' } | { readonly kind: 'later'; readonly local: string };

/** The picked instant; undefined while nothing is picked. */
export function instantOf(time: SendTime): Date | undefined {
  if (time.kind === 'now' || time.local === '') return undefined;
  const at = new Date(time.local);
  return Number.isNaN(at.getTime()) ? undefined : at;
}

/** Reason why a message cannot leave at a time; undefined if it can. */
export function timeFault(time: SendTime, now: Date): string | undefined {
  if (time.kind === 'now') return undefined;
  const at = instantOf(time);
  if (!at) return 'Choose a date and a time.';
  const secondsAhead = (at.getTime() - now.getTime()) / 1_000;
  if (secondsAhead < limits.sendAtSecondsMin) return 'This time is over. Choose a later one.';
  if (secondsAhead > limits.sendAtDaysMax * 86_400) return `Choose a time within ${limits.sendAtDaysMax} days.`;
  return undefined;
}

/** The instant in the browser's time zone and in New York, whose days the daily limit counts. */
export function timeInWords(at: Date): { readonly local: string; readonly newYork: string } {
  const local = at.toLocaleString('en-US', { dateStyle: 'full', timeStyle: 'short' });
  return { local: local.replace('\u202f', ' '), newYork: newYorkMoment(at.toISOString()) };
}

/** The value of an input of type `datetime-local` for an instant. */
export function pickerValueOf(at: Date): string {
  const two = (part: number) => String(part).padStart(2, '0');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

interface CurlMessage {
  readonly origin: string;
  readonly to: string;
  readonly message: string;
  /** A number or the id of a pool; undefined or empty for the best sender. */
  readonly from?: string | undefined;
  /** Send time, RFC 3339; at once if undefined. */
  readonly sendAt?: string | undefined;
  readonly encoding?: SmsEncoding | undefined;
  readonly reference?: string | null | undefined;
  /** Ids of the message's files. */
  readonly media?: readonly string[] | undefined;
  /** Sends links where files cannot be sent. */
  readonly asLinks?: boolean | undefined;
  readonly apiKey: string;
}

/** The shell command that sends a message, like the sample in the documentation. */
export function curlCommand(curl: CurlMessage): string {
  const { origin, to, message, from, sendAt, encoding, reference, media = [], asLinks = false, apiKey } = curl;
  const fields: (readonly [name: string, value: string])[] = Object.entries({
    to,
    message,
    ...(from && { from }),
    ...(sendAt !== undefined && { send_at: sendAt }),
    ...(encoding !== undefined && encoding !== 'auto' && { encoding }),
    ...(reference && { reference }),
    ...(media.length > 0 && asLinks && { media_fallback: 'link' }),
    apikey: apiKey,
  });
  const files = media.map((id) => ['media', id] as const);
  const lines = [...fields.slice(0, -1), ...files, ...fields.slice(-1)].map(
    ([name, value]) => `  --data-urlencode ${name}=${quoted(value)}`,
  );
  return [`curl ${origin}/api/sendsms`, ...lines].join(' \\\n');
}

/** Quotes for any POSIX shell: within single quotes only the quote itself is special. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

const BYTES = 16;

/**
 * Idempotency keys of messages whose answer was lost: the same message keeps its key until an
 * answer arrives, so it is sent only once.
 */
export class Attempts {
  private readonly unanswered = new Map<string, string>();

  /** The idempotency key for an attempt with this content. */
  keyFor(content: string): string {
    const key = this.unanswered.get(content) ?? newIdempotencyKey();
    this.unanswered.set(content, key);
    return key;
  }

  /** Called when an answer has arrived: from now on the same content is a new message. */
  answered(content: string): void {
    this.unanswered.delete(content);
  }
}

/** A random key. Browsers offer crypto.randomUUID only on HTTPS and localhost. */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(BYTES)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
}

/** Whether a failed attempt may nevertheless have sent the message. */
export function mayHaveBeenSent({ kind, code }: Pick<ApiFailure, 'kind' | 'code'>): boolean {
  return kind === 'connection' || kind === 'broken' || code === 'idempotency_in_progress';
}
