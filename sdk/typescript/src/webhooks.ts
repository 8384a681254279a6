import type { AccountEvent, MessageReceivedEvent } from './event-types.js';
import { PennytextError } from './errors.js';

/**
 * Headers of a request as Fetch, Node or a framework has them: an object with `get`, pairs or a Map,
 * names and values by turns (Node's `rawHeaders`), or an object by their names. Case does not matter.
 */
export type WebhookHeaders =
  | { get(name: string): string | null | undefined }
  | Iterable<readonly [string, string | readonly string[] | undefined]>
  | readonly string[]
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** Seconds that `webhook-timestamp` may differ from the clock: 300 unless you set it. */
  readonly toleranceSeconds?: number | undefined;
  /** Replaces the clock. */
  readonly now?: Date | undefined;
}

/** A genuine webhook. `id` is the same on every attempt: store it to process each event once. */
export type VerifiedWebhook = AccountEvent & { readonly id: string };

const encoder = new TextEncoder();

/**
 * Checks the signature of a webhook (Standard Webhooks) and returns its event. `body` is the
 * request's body as it came, before anything has parsed it. During a rotation pass both secrets.
 * Throws `PennytextError` with the code `invalid_webhook` unless the webhook is genuine and recent.
 */
export async function verify(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { toleranceSeconds = 300, now = new Date() }: VerifyOptions = {},
): Promise<VerifiedWebhook> {
  const keys = await Promise.all([secrets].flat().map(keyOf));
  if (keys.length === 0) throw new TypeError('A webhook is verified with a secret.');
  const [id = missing('webhook-id')] = valuesOf(headers, 'webhook-id');
  const [timestamp = missing('webhook-timestamp')] = valuesOf(headers, 'webhook-timestamp');
  const ageSeconds = Math.abs(now.getTime() / 1_000 - Number(timestamp));
  if (!/^\d+$/.test(timestamp) || ageSeconds > toleranceSeconds)
    throw refusal(`webhook-timestamp is more than ${toleranceSeconds} seconds from the clock.`);
  // The signature is over the bytes: two of them can be one text, if they are not UTF-8.
  const bytes = typeof body === 'string' ? encoder.encode(body) : new Uint8Array(body);
  const prefix = encoder.encode(`${id}.${timestamp}.`);
  const content = new Uint8Array(prefix.length + bytes.length);
  content.set(prefix);
  content.set(bytes, prefix.length);
  // Where the header came twice, its values are joined by a comma (RFC 9110, section 5.3). A signature itself can
  // begin with `v` and a digit.
  const signatures = valuesOf(headers, 'webhook-signature')
    .join(' ')
    .split(/[ \t]+|,(?=[ \t]*v\d+[a-z]?,)/)
    .flatMap((one) => (one.startsWith('v1,') ? [bytesOf(one.slice(3).replace(/,$/, ''))] : []));
  for (const key of keys) {
    for (const signature of signatures) {
      if (signature && (await crypto.subtle.verify('HMAC', key, signature, content)))
        return { ...eventOf(new TextDecoder().decode(bytes)), id };
    }
  }
  throw refusal('No signature matches: is this the secret of the dashboard, and the body as it came?');
}

/**
 * The event of a genuine body. Received messages have no `type` of their own.
 * @internal
 */
export function eventOf(body: string): AccountEvent {
  try {
    const value = JSON.parse(body) as AccountEvent | MessageReceivedEvent['data'];
    return 'type' in value ? value : { type: 'message.received', data: value };
  } catch (cause) {
    throw new PennytextError('invalid_webhook', 'The body is not JSON.', { cause });
  }
}

function valuesOf(headers: WebhookHeaders, name: string): string[] {
  const got = 'get' in headers && typeof headers.get === 'function' ? (headers.get(name) as unknown) : undefined;
  if (typeof got === 'string') return [got.trim()];
  const found = pairsOf(headers).flatMap(([key, value]) => (key.toLowerCase() === name ? (value ?? []) : []));
  return found.map((value) => value.trim());
}

type Pair = readonly [string, string | readonly string[] | undefined];

function pairsOf(headers: WebhookHeaders): readonly Pair[] {
  if (!(Symbol.iterator in headers)) return Object.entries(headers as Readonly<Record<string, Pair[1]>>);
  const listed = [...(headers as Iterable<string | Pair>)];
  return listed.flatMap((one, place) => {
    if (typeof one !== 'string') return [one];
    return place % 2 === 0 ? [[one, listed[place + 1] as string]] : [];
  });
}

function missing(name: string): never {
  throw refusal(`The header ${name} is missing.`);
}

function refusal(detail: string): PennytextError {
  return new PennytextError('invalid_webhook', detail);
}

async function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = bytesOf(secret.trim().replace(/^whsec_/, ''));
  if (!bytes?.length) throw new TypeError('A webhook secret is "whsec_" and base64.');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

/** Undefined for a text that is not base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
