import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Webhook } from 'standardwebhooks';
import type { PlugProduct } from '#contract/plug-products.js';
import { DomainError } from '../platform/errors/domain-error.js';

const SECRET_BYTES = 32;
const TOLERANCE_SECONDS = 300;
/** Standard Webhooks wants 24 to 64 bytes. */
const SUPABASE_SECRET =
  /^v1,whsec_((?:[A-Za-z0-9+/]{4}){8,20}(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==))$/;
const ZITADEL_SECRET = /^[\x21-\x7e]{8,200}$/;

/** The parts of a call that prove which product has made it. */
export interface PlugCall {
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  /** Token of `Authorization: Bearer`, or password of `Authorization: Basic`. */
  readonly credential: string | undefined;
}

/**
 * Returns the secret of a new plug, or of one that is rotated: the given secret for products that sign, ours for the
 * others. Null for ZITADEL, which makes its key after it has the plug's address. Throws `plug_secret_invalid`.
 */
export function secretFor(product: PlugProduct, given: string | undefined): string | null {
  if (product === 'supabase') {
    const secret = given ?? `v1,whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
    if (!SUPABASE_SECRET.test(secret))
      throw new DomainError('plug_secret_invalid', 'A secret of Supabase begins with "v1,whsec_", then has base64.');
    return secret;
  }
  if (product === 'zitadel') {
    if (given !== undefined && !ZITADEL_SECRET.test(given))
      throw new DomainError('plug_secret_invalid', 'A signing key of ZITADEL has 8 to 200 characters without spaces.');
    return given ?? null;
  }
  if (given !== undefined) throw new DomainError('plug_secret_invalid', 'This product takes a secret that we make.');
  return `plug_${randomBytes(SECRET_BYTES).toString('hex')}`;
}

/** Tells whether one of a plug's secrets proves a call. A signature is at most five minutes from the clock. */
export function isProven(product: PlugProduct, secrets: readonly string[], call: PlugCall): boolean {
  const proves = { supabase: isSignedByWebhooks, zitadel: isSignedByZitadel }[product as string] ?? hasCredential;
  return secrets.some((secret) => proves(secret, call));
}

/** Supabase signs by Standard Webhooks (https://supabase.com/docs/guides/auth/auth-hooks). */
function isSignedByWebhooks(secret: string, { headers, bytes }: PlugCall): boolean {
  const named = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [
    name,
    String(headers[name] ?? ''),
  ]);
  try {
    const webhook = new Webhook(secret.replace(/^v1,/, ''));
    webhook.verify(bytes.toString(), Object.fromEntries(named) as Record<string, string>, { jsonParse: false });
    return true;
  } catch {
    return false;
  }
}

/**
 * ZITADEL signs `<time>.<body>` by HMAC-SHA-256, as `ZITADEL-Signature: t=<time>,v1=<hex>`
 * (https://zitadel.com/docs/guides/integrate/actions/testing-request-signature).
 */
function isSignedByZitadel(secret: string, { headers, bytes }: PlugCall): boolean {
  const parts = String(headers['zitadel-signature'] ?? '').split(',');
  const [seconds = ''] = parts.flatMap((part) => /^t=(\d{1,12})$/.exec(part)?.[1] ?? []);
  if (seconds === '' || Math.abs(Date.now() / 1_000 - Number(seconds)) > TOLERANCE_SECONDS) return false;
  const expected = createHmac('sha256', secret).update(`${seconds}.`).update(bytes).digest('hex');
  return parts.some((part) => part.startsWith('v1=') && isEqual(part.slice('v1='.length), expected));
}

function hasCredential(secret: string, { headers, credential }: PlugCall): boolean {
  // Logto sends what was typed, with or without "Bearer".
  return isEqual(credential ?? headers.authorization ?? '', secret);
}

/** Compares texts of any lengths in constant time. */
function isEqual(one: string, other: string): boolean {
  const hashOf = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hashOf(one), hashOf(other));
}
